/* oracle/func/test_func.c -- permitted results of functions against long double, inside and out. */
#include "oracle/func/func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oracle/func/func_special.h"
#include "oracle/func/test_func_ref.h"
#include "oracle/num/mp.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

static const double bounds[] = {0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5, 16, 100.25, 8192};

struct count {
    size_t inputs, members, others, unclear, bad;
};

/* One operation, its value by the second method, and the set in question. */
struct trial {
    enum func_id id;
    struct func_args a;
    struct ref_case c;
    struct set s;
};

static int64_t clamp_key(const struct float_format *f, int64_t key)
{
    int64_t const inf = (int64_t)f->exp;
    return key > inf ? inf : (key < -1 - inf ? -1 - inf : key);
}

/* The largest key whose value is not above x. */
static int64_t floor_key(const struct float_format *f, long double x)
{
    int64_t lo = -1 - (int64_t)f->exp, hi = (int64_t)f->exp;
    while (lo < hi) {
        int64_t const middle = lo + (int64_t)(((uint64_t)hi - (uint64_t)lo + 1) / 2);
        if (ref_value(f, format_from_key(f, middle)) <= x) {
            lo = middle;
        } else {
            hi = middle - 1;
        }
    }
    return lo;
}

/* Would round to nearest give this infinity? Called for |x| of which there is no doubt. */
static int rounds_to_inf(const struct float_format *f, long double x)
{
    long double const max = ref_value(f, format_max_finite(f));
    return fabsl(x) >= max + ldexpl(1, f->emax - (int)f->prec_bits);
}

/* What must hold of one encoding: 1 a member, -1 not, 0 unclear. */
static int judge(const struct trial *t, uint64_t enc)
{
    struct float_format const *f = t->c.f;
    long double const v = ref_value(f, enc);
    uint64_t const one = (uint64_t)f->emax << (f->prec_bits - 1);
    if (t->id == FUNC_FRACT && (v >= 1 || v < 0)) {
        return -1;
    }
    if (t->id == FUNC_FRACT && enc + 1 == one && ref_judge(&t->c, one) >= 0) {
        return 1; /* fmin(1, the last number below 1) */
    }
    if ((enc & ~f->sign) == f->exp && (v < 0) == (t->c.exact < 0) && rounds_to_inf(f, t->c.exact)) {
        return 1;
    }
    if ((enc & ~f->sign) != f->exp && rounds_to_inf(f, t->c.exact) && t->c.bound_ulp < 0.5L) {
        return 0;
    }
    return ref_judge(&t->c, enc);
}

static void check_key(const struct trial *t, int64_t key, struct count *n)
{
    uint64_t const enc = format_from_key(t->c.f, clamp_key(t->c.f, key));
    int const want = judge(t, enc), got = set_has(&t->s, enc);
    n->members += want == 1;
    n->others += want == -1;
    n->unclear += want == 0;
    if ((want == 1 && !got) || (want == -1 && got)) {
        n->bad++;
        if (n->bad < 5 && n->inputs > 1) {
            print_error("%s %s(0x%llx, 0x%llx, %d) bound %g: 0x%llx %s\n", t->c.f->name,
                        func_rows[t->id].name, (unsigned long long)t->a.enc[0],
                        (unsigned long long)t->a.enc[1], t->a.n, (double)t->c.bound_ulp,
                        (unsigned long long)enc, got ? "is in" : "is missing");
        }
    }
}

/* Where no encoding is within the bound, the nearest stand in. */
static int is_unsatisfiable(const struct trial *t, int64_t floor)
{
    return t->c.bound_ulp < 0.5L && judge(t, format_from_key(t->c.f, floor)) == -1 &&
           judge(t, format_from_key(t->c.f, clamp_key(t->c.f, floor + 1))) == -1;
}

static void check_nearest(const struct trial *t, int64_t floor, struct count *n)
{
    struct float_format const *f = t->c.f;
    long double const below = t->c.exact - ref_value(f, format_from_key(f, floor));
    long double const above = ref_value(f, format_from_key(f, floor + 1)) - t->c.exact;
    int64_t const nearest = below < above ? floor : floor + 1;
    if (t->id == FUNC_FRACT || fabsl(below - above) <= 4 * fabsl(t->c.exact) * t->c.relative) {
        n->unclear++;
        return;
    }
    n->members++;
    n->bad += set_count(&t->s) != 1 || !set_has(&t->s, format_from_key(f, nearest));
}

/* The set's ends, what is next to them, and what is around the value. */
static void check_trial(const struct trial *t, struct count *n)
{
    struct float_format const *f = t->c.f;
    int64_t const floor = floor_key(f, t->c.exact);
    n->inputs++;
    if (is_unsatisfiable(t, floor)) {
        check_nearest(t, floor, n);
        return;
    }
    for (unsigned i = 0; i < t->s.n; i++) {
        check_key(t, t->s.r[i].lo - 1, n);
        check_key(t, t->s.r[i].lo, n);
        check_key(t, t->s.r[i].hi, n);
        check_key(t, t->s.r[i].hi + 1, n);
    }
    for (int64_t k = floor - 3; k <= floor + 4; k++) {
        check_key(t, clamp_key(f, k), n);
    }
}

/* 1 if the arguments are to be computed and the value is known. */
static int set_trial(struct trial *t, enum fmt_id fmt, double bound, long double exact)
{
    struct fp_rules const r = {.rounding = ROUND_RNE};
    struct func_bound const b = {.ulp = bound};
    struct set special;
    t->c = (struct ref_case){&float_formats[fmt], exact, ldexpl(1, -57), (long double)bound};
    if (func_get_special(t->id, ENV_CL, &t->a, &special) || !isfinite(exact)) {
        return 0;
    }
    assert_true(func_permitted(t->id, ENV_CL, &t->a, &b, &r, &t->s));
    assert_false((t->s.flags & SET_ANY) != 0);
    return 1;
}

static void report(const char *what, const struct count *n)
{
    print_message("%s: %zu inputs, %zu members, %zu others, %zu unclear, %zu wrong\n", what,
                  n->inputs, n->members, n->others, n->unclear, n->bad);
}

/* Bound 0 and rounding to nearest: the one encoding, where the value is not near a middle. */
static void check_rounded(struct trial *t, struct count *n)
{
    struct float_format const *f = t->c.f;
    uint64_t const got = func_round(t->id, ENV_CL, &t->a);
    int64_t const floor = floor_key(f, t->c.exact);
    long double const below = t->c.exact - ref_value(f, format_from_key(f, floor));
    long double const above =
        ref_value(f, format_from_key(f, clamp_key(f, floor + 1))) - t->c.exact;
    n->inputs++;
    if (fabsl(below - above) <= 4 * fabsl(t->c.exact) * t->c.relative || t->id == FUNC_FRACT) {
        n->unclear++;
        return;
    }
    int64_t const nearest = below < above ? floor : floor + 1;
    uint64_t const want = format_from_key(f, clamp_key(f, nearest));
    n->members++;
    n->bad += want != got && !((want | got) == f->sign); /* a zero of either sign */
}

/* Every f16 argument of every function of one argument, rounded and within bounds, against long double. */
static void f16_of_one_argument_exhaustive(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    struct count rounded = {0}, bounded = {0};
    for (size_t i = 0; i < ARRAY_N(ref_ones); i++) {
        struct trial t = {.id = (enum func_id)func_find(ref_ones[i].name)};
        t.a.fmt = FMT_F16;
        for (unsigned x = 0; x < 0x10000; x++) {
            t.a.enc[0] = x;
            double const bound = bounds[(x + i) % ARRAY_N(bounds)];
            if ((x & 0x7fff) >= 0x7c00) {
                continue;
            }
            long double const exact = ref_ones[i].f(ref_value(&float_formats[FMT_F16], x));
            struct set special;
            if (func_get_special(t.id, ENV_CL, &t.a, &special)) {
                continue;
            }
            t.c = (struct ref_case){&float_formats[FMT_F16], exact, ldexpl(1, -57), 0};
            check_rounded(&t, &rounded);
            if (x % 5 == 0 && set_trial(&t, FMT_F16, bound, exact)) {
                check_trial(&t, &bounded);
            }
        }
    }
    report("f16, rounded", &rounded);
    report("f16, bounded", &bounded);
    assert_int_equal(rounded.bad, 0);
    assert_int_equal(bounded.bad, 0);
    assert_true(rounded.inputs > 1800000 && bounded.others > 1000000);
}

/* --- wider formats, drawn --- */

/* Any magnitude, or near 1, or of few bits. */
static uint64_t draw(struct rng *rng, const struct float_format *f)
{
    uint64_t const any = rng_next(rng) & (f->sign | f->exp | f->frac);
    uint64_t const one = (uint64_t)f->emax << (f->prec_bits - 1);
    switch (rng_below(rng, 4)) {
    case 0:
        return any;
    case 1: /* 2^-8 to 2^8 */
        return (any & (f->sign | f->frac)) | ((uint64_t)(f->emax - 8) + rng_below(rng, 16))
                                                 << (f->prec_bits - 1);
    case 2: /* near 1 */
        return (any & f->sign) | (one - 64 + rng_below(rng, 128));
    default: /* few bits */
        return (any & f->sign) |
               ((uint64_t)(f->emax - 4) + rng_below(rng, 12)) << (f->prec_bits - 1) |
               rng_below(rng, 16) << (f->prec_bits - 5);
    }
}

/* The last digits of long double are unreliable where powl and the gammas leave its range. */
static int is_in_reach(long double x)
{
    long double const size = fabsl(x);
    return isfinite(x) && !(size > 0 && size <= ldexpl(1, -13000));
}

/* Random f32 and f64 arguments of functions of one argument, within bounds, against long double. */
static void one_argument_wide(void **state)
{
    (void)state;
    struct rng rng = rng_seed(20231);
    struct count n[FMT_N] = {{0}};
    for (int fmt = FMT_F32; fmt < FMT_N; fmt++) {
        struct float_format const *f = &float_formats[fmt];
        for (size_t i = 0; i < 3000 * ARRAY_N(ref_ones); i++) {
            struct ref_one const *one = &ref_ones[i % ARRAY_N(ref_ones)];
            struct trial t = {.id = (enum func_id)func_find(one->name)};
            t.a.fmt = (enum fmt_id)fmt;
            t.a.enc[0] = draw(&rng, f);
            double const bound = bounds[rng_below(&rng, ARRAY_N(bounds))];
            if ((t.a.enc[0] & f->exp) == f->exp) {
                continue;
            }
            long double const exact = one->f(ref_value(f, t.a.enc[0]));
            if (is_in_reach(exact) && set_trial(&t, (enum fmt_id)fmt, bound, exact)) {
                check_trial(&t, &n[fmt]);
            }
        }
        report(f->name, &n[fmt]);
        assert_int_equal(n[fmt].bad, 0);
        assert_true(n[fmt].members > 300000 && n[fmt].others > 200000);
    }
}

/* Random arguments of functions of two arguments in all formats, within bounds, against long double. */
static void two_arguments(void **state)
{
    (void)state;
    struct rng rng = rng_seed(20232);
    struct count n[FMT_N] = {{0}};
    for (int fmt = FMT_F16; fmt < FMT_N; fmt++) {
        struct float_format const *f = &float_formats[fmt];
        for (size_t i = 0; i < 5000 * ARRAY_N(ref_twos); i++) {
            struct ref_two const *two = &ref_twos[i % ARRAY_N(ref_twos)];
            struct trial t = {.id = (enum func_id)func_find(two->name)};
            t.a.fmt = (enum fmt_id)fmt;
            t.a.enc[0] = draw(&rng, f);
            t.a.enc[1] = draw(&rng, f);
            double const bound = bounds[rng_below(&rng, ARRAY_N(bounds))];
            if ((t.a.enc[0] & f->exp) == f->exp || (t.a.enc[1] & f->exp) == f->exp) {
                continue;
            }
            long double const exact = two->f(ref_value(f, t.a.enc[0]), ref_value(f, t.a.enc[1]));
            if (is_in_reach(exact) && set_trial(&t, (enum fmt_id)fmt, bound, exact)) {
                check_trial(&t, &n[fmt]);
            }
        }
        report(f->name, &n[fmt]);
        assert_int_equal(n[fmt].bad, 0);
        assert_true(n[fmt].members > 200000 && n[fmt].others > 150000);
    }
}

static long double integer_reference(enum func_id id, long double x, int n)
{
    if (id == FUNC_LDEXP) {
        return ldexpl(x, n);
    }
    if (id == FUNC_POWN) {
        return powl(x, n);
    }
    long double const root = powl(fabsl(x), 1.0L / n);
    return x < 0 ? -root : root;
}

/* Random arguments of ldexp, pown and rootn in all formats, within bounds, against long double. */
static void integer_argument(void **state)
{
    static const enum func_id ids[] = {FUNC_LDEXP, FUNC_POWN, FUNC_ROOTN};
    (void)state;
    struct rng rng = rng_seed(20233);
    struct count n[FMT_N] = {{0}};
    for (int fmt = FMT_F16; fmt < FMT_N; fmt++) {
        struct float_format const *f = &float_formats[fmt];
        for (size_t i = 0; i < 30000; i++) {
            struct trial t = {.id = ids[i % ARRAY_N(ids)]};
            t.a.fmt = (enum fmt_id)fmt;
            t.a.enc[0] = draw(&rng, f);
            t.a.n = rng_below(&rng, 2) != 0 ? (int32_t)rng_below(&rng, 40) - 20
                                            : (int32_t)rng_below(&rng, 4000) - 2000;
            double const bound = bounds[rng_below(&rng, ARRAY_N(bounds))];
            if ((t.a.enc[0] & f->exp) == f->exp || t.a.n == 0) {
                continue;
            }
            long double const exact = integer_reference(t.id, ref_value(f, t.a.enc[0]), t.a.n);
            if (is_in_reach(exact) && set_trial(&t, (enum fmt_id)fmt, bound, exact)) {
                check_trial(&t, &n[fmt]);
            }
        }
        report(f->name, &n[fmt]);
        assert_int_equal(n[fmt].bad, 0);
        assert_true(n[fmt].members > 50000 && n[fmt].others > 30000);
    }
}

/* The check sees a set that is one encoding too wide or too narrow. */
static void a_wrong_set_is_seen(void **state)
{
    (void)state;
    struct rng rng = rng_seed(20234);
    size_t n = 0, seen = 0;
    for (size_t i = 0; i < 20 * ARRAY_N(ref_ones); i++) {
        struct ref_one const *one = &ref_ones[i % ARRAY_N(ref_ones)];
        struct trial t = {.id = (enum func_id)func_find(one->name)};
        struct count c = {0};
        t.a.fmt = FMT_F32;
        t.a.enc[0] = draw(&rng, &float_formats[FMT_F32]);
        if ((t.a.enc[0] & 0x7f800000) == 0x7f800000) {
            continue;
        }
        long double const exact = one->f(ref_value(&float_formats[FMT_F32], t.a.enc[0]));
        long double const doubt = fabsl(exact) * ldexpl(1, -50);
        if (ref_ulp(&float_formats[FMT_F32], fabsl(exact) + doubt) >
            ref_ulp(&float_formats[FMT_F32], fabsl(exact) - doubt)) {
            continue; /* at a power of two the check has doubts of its own */
        }
        if (t.id == FUNC_FRACT || !is_in_reach(exact) || fabsl(exact) > 1e30L ||
            fabsl(exact) < 1e-30L || !set_trial(&t, FMT_F32, 2.53, exact)) {
            continue;
        }
        t.s.r[0].hi += i % 2 != 0 ? 1 : -1;
        check_trial(&t, &c);
        n++;
        seen += c.bad != 0;
    }
    assert_true(n > 300);
    assert_int_equal(seen, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f16_of_one_argument_exhaustive),
        cmocka_unit_test(one_argument_wide),
        cmocka_unit_test(two_arguments),
        cmocka_unit_test(integer_argument),
        cmocka_unit_test(a_wrong_set_is_seen),
    };
    int const bad = cmocka_run_group_tests(tests, NULL, NULL);
    mp_release();
    return bad;
}
