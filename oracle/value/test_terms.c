/* oracle/value/test_terms.c -- sums of products: every order and factoring is enclosed, a lost term is not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "oracle/value/terms.h"

enum {
    N_CASES = 3000,
    N_ORDERS = 40,
    N_PRODUCTS = 4,
    N_FACTORS = 3
};

/* binary16 without any of our own arithmetic: multiples of 2^(e - 10), at least of 2^-24. */
static double round16(double x, int direction)
{
    int e;
    if (!(fabs(x) > 0)) {
        return x;
    }
    (void)frexp(x, &e);
    int const unit = e - 11 < -24 ? -24 : e - 11;
    double const scaled = ldexp(x, -unit);
    double const whole = direction > 0   ? ceil(scaled)
                         : direction < 0 ? floor(scaled)
                                         : nearbyint(scaled);
    return ldexp(whole, unit);
}

static uint64_t encode16(double x)
{
    int e;
    uint64_t const sign = signbit(x) ? 0x8000 : 0;
    double const a = fabs(x);
    if (a < 0x1p-14) {
        return sign | (uint64_t)ldexp(a, 24);
    }
    double const m = frexp(a, &e);
    return sign | ((uint64_t)(e + 14) << 10) | ((uint64_t)ldexp(m, 11) & 0x3ff);
}

static double pick16(struct rng *r)
{
    double const x = ldexp((double)(1 + rng_below(r, 2047)), (int)rng_below(r, 12) - 14);
    return round16(rng_below(r, 2) ? -x : x, 0);
}

/* x[0] y[0] z[0] + x[1] y[1] z[1] + ..., where some factors are the same in all products. */
struct example {
    double factor[N_PRODUCTS][N_FACTORS];
    unsigned n_products, n_factors;
    int has_common; /* the first factor is common to all */
};

static struct example make_example(struct rng *r)
{
    struct example x = {.n_products = 1 + (unsigned)rng_below(r, N_PRODUCTS),
                        .n_factors = 1 + (unsigned)rng_below(r, N_FACTORS),
                        .has_common = rng_below(r, 2) != 0};
    double const common = pick16(r);
    for (unsigned i = 0; i < x.n_products; i++) {
        for (unsigned k = 0; k < x.n_factors; k++) {
            x.factor[i][k] = k == 0 && x.has_common ? common : pick16(r);
        }
    }
    return x;
}

static double step(struct rng *r, double x, int flushes)
{
    double const y = round16(x, (int)rng_below(r, 3) - 1);
    return flushes && fabs(y) < 0x1p-14 ? copysign(0.0, y) : y;
}

/* The numbers in *v in any order, joined by additions or products, each rounded somehow. */
static double fold(struct rng *r, double *v, unsigned n, int is_product, int flushes)
{
    while (n > 1) {
        unsigned const i = (unsigned)rng_below(r, n);
        double const a = v[i];
        v[i] = v[--n];
        unsigned const k = (unsigned)rng_below(r, n);
        v[k] = step(r, is_product ? a * v[k] : a + v[k], flushes);
    }
    return v[0];
}

/* One evaluation: multiplied out, or with the common factor taken out. */
static double evaluate(struct rng *r, const struct example *x, int flushes)
{
    double sum[N_PRODUCTS] = {0}, product[N_FACTORS];
    int const is_factored = x->has_common && rng_below(r, 2);
    unsigned const first = is_factored ? 1 : 0;
    for (unsigned i = 0; i < x->n_products; i++) {
        product[0] = 1;
        memcpy(product, &x->factor[i][first], sizeof *product * (x->n_factors - first));
        sum[i] = x->n_factors > first ? fold(r, product, x->n_factors - first, 1, flushes) : 1;
    }
    double const all = fold(r, sum, x->n_products, 0, flushes);
    return is_factored ? step(r, all * x->factor[0][0], flushes) : all;
}

/* Encloses the sum of products of x, without product number `without`, by terms. Returns false where an order may
 * overflow. */
static bool enclose(const struct example *x, unsigned without, bool may_flush, struct set *out)
{
    static struct terms sum, product, factor;
    bool is_first = true;
    for (unsigned i = 0; i < x->n_products; i++) {
        struct set s;
        if (i == without) {
            continue;
        }
        for (unsigned k = 0; k < x->n_factors; k++) {
            set_of(&s, FMT_F16, encode16(x->factor[i][k]));
            assert_true(terms_of_set(k == 0 ? &product : &factor, &s));
            if (k > 0) {
                assert_true(terms_multiply(&product, &factor));
            }
        }
        if (is_first) {
            terms_copy(&sum, &product);
        } else {
            assert_true(terms_add(&sum, &product));
        }
        is_first = false;
    }
    return !is_first && terms_enclose(&sum, FMT_F16, may_flush, out);
}

/* Random orders of a sum of products are computed step by step in f16; each result must lie in the enclosure. The
 * enclosure of the sum without one product must mostly exclude them, so that a lost product is noticed. */
static void every_order_is_enclosed(void **state)
{
    (void)state;
    struct rng r = rng_seed(16);
    unsigned n_checked = 0, n_lost = 0, n_told = 0;
    for (unsigned i = 0; i < N_CASES; i++) {
        struct example const x = make_example(&r);
        bool const flushes = rng_below(&r, 2) != 0;
        struct set s, part;
        if (!enclose(&x, UINT32_MAX, flushes, &s)) {
            continue; /* some order overflows */
        }
        for (unsigned k = 0; k < N_ORDERS; k++) {
            double const y = evaluate(&r, &x, flushes);
            if (!set_has(&s, encode16(y))) {
                fail_msg("case %u, order %u: %a is not enclosed", i, k, y);
            }
            n_checked++;
        }
        for (unsigned k = 0; k < x.n_products && x.n_products > 1; k++) {
            if (enclose(&x, k, flushes, &part)) { /* the value without product k */
                struct example less = x;
                less.n_products--;
                memcpy(less.factor[k], x.factor[less.n_products], sizeof less.factor[k]);
                n_lost++;
                n_told += !set_has(&s, encode16(evaluate(&r, &less, flushes)));
            }
        }
    }
    assert_true(n_checked > N_CASES * N_ORDERS / 3);
    assert_true(n_told * 10 > n_lost * 6); /* most lost products are larger than all roundings */
}

/* Evaluations of (x / y) z and x (z / y), with quotients within 2.5 ulps and divisors that are sums, lie in the
 * enclosure. */
static void quotients_are_enclosed(void **state)
{
    (void)state;
    struct rng r = rng_seed(17);
    static struct terms t, d, e;
    unsigned n_checked = 0, n_refused = 0;
    for (unsigned i = 0; i < N_CASES; i++) {
        double const x = pick16(&r), z = pick16(&r), a = pick16(&r), b = pick16(&r);
        struct set s;
        set_of(&s, FMT_F16, encode16(x));
        assert_true(terms_of_set(&t, &s));
        set_of(&s, FMT_F16, encode16(z));
        assert_true(terms_of_set(&e, &s));
        assert_true(terms_multiply(&t, &e));
        set_of(&s, FMT_F16, encode16(a));
        assert_true(terms_of_set(&d, &s));
        set_of(&s, FMT_F16, encode16(b));
        assert_true(terms_of_set(&e, &s));
        assert_true(terms_add(&d, &e));
        if (!terms_divide(&t, &d, 2.5) || !terms_enclose(&t, FMT_F16, false, &s)) {
            n_refused++;
            continue;
        }
        for (unsigned k = 0; k < N_ORDERS; k++) {
            double const y = step(&r, a + b, 0), off = 1 + ((double)rng_below(&r, 5) - 2) * 0x1p-10;
            double const got = k & 1   ? step(&r, step(&r, x / y * off, 0) * z, 0)
                               : k & 2 ? step(&r, x * step(&r, z / y * off, 0), 0)
                                       : step(&r, step(&r, x * z, 0) * step(&r, 1 / y * off, 0), 0);
            if (fabs(got) < 65504 && !set_has(&s, encode16(got))) {
                fail_msg("case %u: %a %a / (%a + %a) = %a is not enclosed", i, x, z, a, b, got);
            }
            n_checked++;
        }
    }
    assert_true(n_checked > N_CASES);
    assert_true(n_refused > 0 && n_refused < N_CASES);
}

static void what_cannot_be_said(void **state)
{
    (void)state;
    static struct terms t, d;
    struct set s;
    set_of(&s, FMT_F16, 0x7c00);
    assert_false(terms_of_set(&t, &s));
    set_of(&s, FMT_F16, 0x7e00);
    assert_false(terms_of_set(&t, &s));
    set_any(&s, FMT_F16);
    assert_false(terms_of_set(&t, &s));
    set_of(&s, FMT_F16, 0x3c00);
    set_add(&s, 0xbc00);
    assert_true(terms_of_set(&d, &s)); /* a divisor between -1 and 1 */
    set_of(&s, FMT_F16, 0x7bff);
    assert_true(terms_of_set(&t, &s));
    assert_false(terms_divide(&t, &d, 2.5));
    assert_true(terms_of_set(&t, &s));
    assert_false(terms_enclose(&t, FMT_F16, false, &s)); /* next to the largest finite */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_is_enclosed),
        cmocka_unit_test(quotients_are_enclosed),
        cmocka_unit_test(what_cannot_be_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
