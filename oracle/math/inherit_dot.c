/* oracle/math/inherit_dot.c -- sums of products in any order, outward. */
#include "oracle/math/inherit_dot.h"

#include "base/format.h"
#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/num/set.h"

enum {
    DOT_PREC_BITS = 256
};

/* What has been added up. */
struct total {
    struct mp_num lo, hi;    /* the sum lies between them */
    struct mp_num magnitude; /* sum of the magnitudes of the products */
    struct mp_num operands;  /* sum of the magnitudes of their factors */
};

/* The key range that holds lo..hi, which are not NaN. */
static void add_interval(struct set *out, mpfr_srcptr lo, mpfr_srcptr hi)
{
    struct float_format const *f = &float_formats[out->fmt];
    int64_t const first = format_to_key(f, mp_round(f, lo, REAL_DOWN));
    int64_t const last = format_to_key(f, mp_round(f, hi, REAL_UP));
    set_add_range(out, first == 0 ? -1 : first, last == -1 ? 0 : last);
}

/* The hull's ends; 0 where they are not finite. */
static int get_ends(const struct set *s, struct mp_num *lo, struct mp_num *hi)
{
    struct float_format const *f = &float_formats[s->fmt];
    int64_t const inf = (int64_t)f->exp;
    if (s->flags != 0 || s->n == 0 || s->r[0].lo <= -1 - inf || s->r[s->n - 1].hi >= inf) {
        return 0;
    }
    mp_init(lo, DOT_PREC_BITS);
    mp_init(hi, DOT_PREC_BITS);
    mp_set_enc(lo, f, format_from_key(f, s->r[0].lo));
    mp_set_enc(hi, f, format_from_key(f, s->r[s->n - 1].hi));
    return 1;
}

/* Infinities and NaN: the order decides nothing but an overflow. */
static void add_in_order(const struct inherit_work *work, const struct set *x, const struct set *y,
                         struct set *out)
{
    struct set sum, product, next;
    set_clear(&sum, (enum fmt_id)out->fmt);
    for (uint32_t i = 0; i < work->v->n_components; i++) {
        const struct set *factors[] = {&x[i], &y[i]}, *terms[] = {&sum, &product};
        set_clear(&product, (enum fmt_id)out->fmt);
        set_clear(&next, (enum fmt_id)out->fmt);
        arith_apply(ARITH_MUL, factors, work->rules, 0, &product);
        if (i == 0) {
            next = product;
        } else {
            arith_apply(ARITH_ADD, terms, work->rules, 0, &next);
        }
        sum = next;
    }
    *out = sum;
}

/* The least and the greatest product of numbers between two ends each, and the greatest magnitude. */
static void multiply_ends(const struct mp_num *x, const struct mp_num *y, struct mp_num *lo,
                          struct mp_num *hi, struct mp_num *max)
{
    struct mp_num product;
    mp_init(&product, DOT_PREC_BITS);
    (void)mpfr_set_ui(max->v, 0, MPFR_RNDN);
    for (unsigned i = 0; i < 4; i++) {
        (void)mpfr_mul(product.v, x[i & 1].v, y[i / 2].v, MPFR_RNDN); /* exact: 106 bits */
        if (i == 0 || mpfr_less_p(product.v, lo->v)) {
            (void)mpfr_set(lo->v, product.v, MPFR_RNDN);
        }
        if (i == 0 || mpfr_greater_p(product.v, hi->v)) {
            (void)mpfr_set(hi->v, product.v, MPFR_RNDN);
        }
        if (mpfr_cmpabs(product.v, max->v) > 0) {
            (void)mpfr_abs(max->v, product.v, MPFR_RNDN);
        }
    }
}

/* Adds the product of two sets to the total: its interval, its largest magnitude, and the magnitudes of
 * its factors, which bound what is lost where they are flushed. is_square: it is of one number by itself,
 * which is in both sets, so that it is not negative. 0: they are not all finite. */
static int add_product(struct total *t, const struct set *x, const struct set *y, bool is_square)
{
    struct mp_num x_end[2], y_end[2], lo, hi, max;
    if (!get_ends(x, &x_end[0], &x_end[1]) || !get_ends(y, &y_end[0], &y_end[1])) {
        return 0;
    }
    mp_init(&lo, DOT_PREC_BITS);
    mp_init(&hi, DOT_PREC_BITS);
    mp_init(&max, DOT_PREC_BITS);
    multiply_ends(x_end, y_end, &lo, &hi, &max);
    if (is_square && mpfr_sgn(lo.v) < 0) {
        (void)mpfr_set_ui(lo.v, 0, MPFR_RNDN);
    }
    (void)mpfr_add(t->lo.v, t->lo.v, lo.v, MPFR_RNDD);
    (void)mpfr_add(t->hi.v, t->hi.v, hi.v, MPFR_RNDU);
    (void)mpfr_add(t->magnitude.v, t->magnitude.v, max.v, MPFR_RNDU);
    const struct mp_num *const ends[] = {&x_end[0], &x_end[1], &y_end[0], &y_end[1]};
    for (unsigned i = 0; i < ARRAY_N(ends); i++) {
        (void)mpfr_abs(max.v, ends[i]->v, MPFR_RNDN);
        (void)mpfr_add(t->operands.v, t->operands.v, max.v, MPFR_RNDU);
    }
    return 1;
}

/*
 * How far a sum in any order may be from the exact one, as a bound. Every order, fused or not, makes n
 * roundings of each product on its way: with d the relative error of one, the sum is off by at most ((1 +
 * d)^n - 1) sum |x_i y_i| <= n d (1 + n d) sum |x_i y_i| (as n d < 1), by half a subnormal or a whole one
 * per rounding below the normal numbers, and by the smallest normal for each of the 2n - 1 steps and once
 * per operand that is flushed. Here `d` is n d and `tiny` the rest.
 */
static void set_error(const struct inherit_work *work, const struct total *t, struct mp_num *error)
{
    struct float_format const *f = &float_formats[work->v->fmt];
    bool const flushes =
        work->rules->flush_in != FLUSH_NEVER || work->rules->flush_out != FLUSH_NEVER;
    int const smallest = f->emin - (flushes ? 0 : (int)f->prec_bits - 1);
    unsigned const n = work->v->n_components;
    double const rounding_ulp = work->rules->rounding == ROUND_RNE ? 0.5 : 1;
    struct mp_num d, tiny;
    mp_init(&d, DOT_PREC_BITS);
    mp_init(&tiny, DOT_PREC_BITS);
    (void)mpfr_set_d(d.v, rounding_ulp * work->a->scale * (double)n,
                     MPFR_RNDN); /* small and exact */
    (void)mpfr_div_2ui(d.v, d.v, f->prec_bits - 1, MPFR_RNDN);
    (void)mpfr_mul(error->v, d.v, d.v, MPFR_RNDU);
    (void)mpfr_add(error->v, error->v, d.v, MPFR_RNDU);
    (void)mpfr_mul(error->v, error->v, t->magnitude.v, MPFR_RNDU);
    (void)mpfr_set_ui(tiny.v, 2 * n, MPFR_RNDN);
    if (flushes) {
        (void)mpfr_add(tiny.v, tiny.v, t->operands.v, MPFR_RNDU);
    }
    (void)mpfr_mul_2si(tiny.v, tiny.v, smallest, MPFR_RNDU);
    (void)mpfr_add(error->v, error->v, tiny.v, MPFR_RNDU);
}

/* Have both sets the same least and greatest member? */
static bool has_same_ends(const struct set *x, const struct set *y)
{
    return x->n == y->n && x->r[0].lo == y->r[0].lo && x->r[x->n - 1].hi == y->r[y->n - 1].hi;
}

/* May a sum of products up to `magnitude`, with that error, pass the largest finite number? */
static bool may_overflow(const struct float_format *f, const struct total *t,
                         const struct mp_num *error)
{
    struct mp_num bound, max;
    mp_init(&bound, DOT_PREC_BITS);
    mp_init(&max, f->prec_bits);
    mp_set_enc(&max, f, format_max_finite(f));
    (void)mpfr_add(bound.v, t->magnitude.v, error->v, MPFR_RNDU);
    return mpfr_greater_p(bound.v, max.v) != 0;
}

/* Computes in *out what the sum of the products x[i] y[i] may be: the interval of the exact sum,
 * widened by the roundings of any order. A sum of squares such as x.x is recognized by its
 * factors: components are single values, or one difference used as both factors, so that sets with
 * the same ends hold the same number. Such a sum is not negative, and its overflow is no NaN. */
void inherit_dot(const struct inherit_work *work, const struct set *x, const struct set *y,
                 struct set *out)
{
    struct total t;
    struct mp_num error;
    struct mp_num *const all[] = {&t.lo, &t.hi, &t.magnitude, &t.operands, &error};
    bool is_square = x[0].n > 0;
    for (unsigned i = 0; i < ARRAY_N(all); i++) {
        mp_init(all[i], DOT_PREC_BITS);
        (void)mpfr_set_ui(all[i]->v, 0, MPFR_RNDN);
    }
    for (uint32_t i = 0; i < work->v->n_components; i++) {
        is_square = is_square && has_same_ends(&x[i], &y[i]);
        if (!add_product(&t, &x[i], &y[i], is_square)) { /* a NaN or an infinity has no interval */
            add_in_order(work, x, y, out);
            return;
        }
    }
    if (mpfr_zero_p(t.magnitude.v)) { /* all products are zero: a zero of either sign */
        set_add_range(out, -1, 0);
        return;
    }
    set_error(work, &t, &error);
    if (!is_square && may_overflow(&float_formats[out->fmt], &t, &error)) {
        set_any(out, (enum fmt_id)out->fmt); /* intermediate infinities of both signs: a NaN */
        return;
    }
    (void)mpfr_sub(t.lo.v, t.lo.v, error.v, MPFR_RNDD);
    (void)mpfr_add(t.hi.v, t.hi.v, error.v, MPFR_RNDU);
    if (is_square && mpfr_sgn(t.lo.v) < 0) { /* only the error is negative */
        (void)mpfr_set_ui(t.lo.v, 0, MPFR_RNDN);
    }
    add_interval(out, t.lo.v, t.hi.v);
}
