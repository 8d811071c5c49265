/* oracle/value/terms.c -- a real expression as a sum of products, and how far off any evaluation of it is. */
#include "oracle/value/terms.h"

#include "base/format.h"

enum {
    EXACT_BITS =
        MP_MAX_PREC_BITS, /* of intervals: what is lost in them is below any format's reach */
    BOUND_BITS = 64,      /* of what is rounded up */
    MAX_TERMS = 1 << 16
};

static void set_up(struct mp_num *x, unsigned long v)
{
    mp_init(x, BOUND_BITS);
    (void)mpfr_set_ui(x->v, v, MPFR_RNDU);
}

/* The larger of |low| and |high|, as a bound. */
static void set_magnitude(struct mp_num *x, const struct mp_num *low, const struct mp_num *high)
{
    mp_init(x, BOUND_BITS);
    (void)mpfr_abs(x->v, mpfr_cmpabs(low->v, high->v) > 0 ? low->v : high->v, MPFR_RNDU);
}

static void copy_bound(struct mp_num *to, const struct mp_num *from)
{
    mp_init(to, BOUND_BITS);
    (void)mpfr_set(to->v, from->v, MPFR_RNDU);
}

static enum fmt_id coarser(enum fmt_id a, enum fmt_id b)
{
    return float_formats[a].prec_bits < float_formats[b].prec_bits ? a : b;
}

static enum fmt_id shorter(enum fmt_id a, enum fmt_id b)
{
    return float_formats[a].emax < float_formats[b].emax ? a : b;
}

/* Starts an error analysis from one input: an expression of one product of one factor, whose exact
 * value lies in the interval from the smallest to the largest member of s. Returns false where s
 * is empty, may be a NaN or anything, or reaches an infinity, so that there is no such interval. */
bool terms_of_set(struct terms *out, const struct set *s)
{
    const struct float_format *f = &float_formats[s->fmt];
    if (s->flags != 0 || s->n == 0) {
        return false;
    }
    uint64_t const low = format_from_key(f, s->r[0].lo);
    uint64_t const high = format_from_key(f, s->r[s->n - 1].hi);
    if ((low & f->exp) == f->exp || (high & f->exp) == f->exp) {
        return false;
    }
    mp_init(&out->exact[0], EXACT_BITS);
    mp_init(&out->exact[1], EXACT_BITS);
    mp_set_enc(&out->exact[0], f, low);
    mp_set_enc(&out->exact[1], f, high);
    /* sum: of the magnitudes of all products. reach: the same, but a factor below 1 counts as 1, so that no
     * partial product of whatever order exceeds it. growth: a factor; 1, as an input has no error. */
    set_magnitude(&out->sum, &out->exact[0], &out->exact[1]);
    copy_bound(&out->reach, &out->sum);
    if (mpfr_cmp_ui(out->reach.v, 1) < 0) {
        set_up(&out->reach, 1);
    }
    set_up(&out->growth, 1);
    out->n_terms = out->degree = 1;
    out->n_steps = 0; /* steps so far, each of which may lose a subnormal */
    out->coarsest = out->shortest = (enum fmt_id)s->fmt; /* of precision, and of exponent range */
    return true;
}

void terms_copy(struct terms *out, const struct terms *from)
{
    for (int i = 0; i < 2; i++) {
        mp_init(&out->exact[i], EXACT_BITS);
        (void)mpfr_set(out->exact[i].v, from->exact[i].v, MPFR_RNDN);
    }
    copy_bound(&out->sum, &from->sum);
    copy_bound(&out->reach, &from->reach);
    copy_bound(&out->growth, &from->growth);
    out->n_terms = from->n_terms;
    out->degree = from->degree;
    out->n_steps = from->n_steps;
    out->coarsest = from->coarsest;
    out->shortest = from->shortest;
}

/* What both ways of joining two expressions have in common. */
static bool join(struct terms *x, const struct terms *y, uint64_t n_terms, uint64_t degree)
{
    if (n_terms > MAX_TERMS || degree > MAX_TERMS) {
        return false;
    }
    x->n_terms = n_terms;
    x->degree = degree;
    x->n_steps = n_terms * degree;
    x->coarsest = coarser(x->coarsest, y->coarsest);
    x->shortest = shorter(x->shortest, y->shortest);
    return true;
}

bool terms_add(struct terms *x, const struct terms *y)
{
    uint64_t const degree = x->degree > y->degree ? x->degree : y->degree;
    (void)mpfr_add(x->exact[0].v, x->exact[0].v, y->exact[0].v, MPFR_RNDD);
    (void)mpfr_add(x->exact[1].v, x->exact[1].v, y->exact[1].v, MPFR_RNDU);
    (void)mpfr_add(x->sum.v, x->sum.v, y->sum.v, MPFR_RNDU);
    (void)mpfr_add(x->reach.v, x->reach.v, y->reach.v, MPFR_RNDU);
    (void)mpfr_max(x->growth.v, x->growth.v, y->growth.v, MPFR_RNDU);
    return join(x, y, x->n_terms + y->n_terms, degree);
}

typedef int mpfr_two(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/* The interval x op y, in x, by its four corners: op is monotonic in each operand, as y does not hold zero
 * where op divides. Outward: the low end is rounded down, the high end up. */
static void combine(struct mp_num *x, const struct mp_num *y, mpfr_two *op)
{
    struct mp_num low, high, t;
    mp_init(&low, EXACT_BITS);
    mp_init(&high, EXACT_BITS);
    mp_init(&t, EXACT_BITS);
    for (unsigned i = 0; i < 4; i++) {
        (void)op(t.v, x[i & 1].v, y[i >> 1].v, MPFR_RNDD);
        if (i == 0 || mpfr_less_p(t.v, low.v)) {
            (void)mpfr_set(low.v, t.v, MPFR_RNDN);
        }
        (void)op(t.v, x[i & 1].v, y[i >> 1].v, MPFR_RNDU);
        if (i == 0 || mpfr_greater_p(t.v, high.v)) {
            (void)mpfr_set(high.v, t.v, MPFR_RNDN);
        }
    }
    (void)mpfr_set(x[0].v, low.v, MPFR_RNDN);
    (void)mpfr_set(x[1].v, high.v, MPFR_RNDN);
}

bool terms_multiply(struct terms *x, const struct terms *y)
{
    combine(x->exact, y->exact, mpfr_mul);
    (void)mpfr_mul(x->sum.v, x->sum.v, y->sum.v, MPFR_RNDU);
    (void)mpfr_mul(x->reach.v, x->reach.v, y->reach.v, MPFR_RNDU);
    (void)mpfr_mul(x->growth.v, x->growth.v, y->growth.v, MPFR_RNDU);
    return join(x, y, x->n_terms * y->n_terms, x->degree + y->degree);
}

void terms_negate(struct terms *x)
{
    struct mp_num low;
    mp_init(&low, EXACT_BITS);
    (void)mpfr_neg(low.v, x->exact[1].v, MPFR_RNDN);
    (void)mpfr_neg(x->exact[1].v, x->exact[0].v, MPFR_RNDN);
    (void)mpfr_set(x->exact[0].v, low.v, MPFR_RNDN);
}

void terms_convert(struct terms *x, enum fmt_id fmt)
{
    x->degree++; /* one rounding more for each product */
    x->n_steps += x->n_terms;
    x->coarsest = coarser(x->coarsest, fmt);
    x->shortest = shorter(x->shortest, fmt);
}

/* 2^e as a bound. */
static void set_power(struct mp_num *x, int e)
{
    mp_init(x, BOUND_BITS);
    (void)mpfr_set_ui_2exp(x->v, 1, e, MPFR_RNDU);
}

/* (1 + u)^(roundings) * growth - 1, where u is a whole ulp of 1: any direction. */
static void set_relative_error(const struct terms *x, struct mp_num *out)
{
    struct mp_num u;
    set_power(&u, 1 - (int)float_formats[x->coarsest].prec_bits);
    (void)mpfr_add_ui(u.v, u.v, 1, MPFR_RNDU);
    mp_init(out, BOUND_BITS);
    (void)mpfr_pow_ui(out->v, u.v, (unsigned long)(x->n_terms + x->degree - 2), MPFR_RNDU);
    (void)mpfr_mul(out->v, out->v, x->growth.v, MPFR_RNDU);
    (void)mpfr_sub_ui(out->v, out->v, 1, MPFR_RNDU);
}

/*
 * How far from its exact value an evaluation of x may be, as a bound: the relative error of all roundings
 * times the sum of the magnitudes, and for each step what underflow may lose there, times `reach`, by
 * which later factors may enlarge that. may_flush: a step may lose a whole subnormal, not only its last
 * bit.
 */
static void set_error(const struct terms *x, bool may_flush, struct mp_num *out)
{
    const struct float_format *f = &float_formats[x->shortest];
    struct mp_num lost;
    set_relative_error(x, out);
    (void)mpfr_mul(out->v, out->v, x->sum.v, MPFR_RNDU);
    set_power(&lost, may_flush ? f->emin : f->emin - (int)f->prec_bits + 1);
    (void)mpfr_mul_ui(lost.v, lost.v, (unsigned long)x->n_steps, MPFR_RNDU);
    (void)mpfr_mul(lost.v, lost.v, x->reach.v, MPFR_RNDU);
    (void)mpfr_mul(lost.v, lost.v, x->growth.v, MPFR_RNDU);
    (void)mpfr_add(out->v, out->v, lost.v, MPFR_RNDU);
}

/* Computes x = x / y. The exact interval is divided by y's. The sum of magnitudes and the reach (the largest step)
 * are divided by the smallest value that |y| may have. The growth of errors is multiplied for the error of an
 * evaluation of y and for the error of the division itself, bound_ulp in the coarser format. Returns false where y
 * may be zero, or may become zero by its error. */
bool terms_divide(struct terms *x, const struct terms *y, double bound_ulp)
{
    const struct float_format *f = &float_formats[coarser(x->coarsest, y->coarsest)];
    struct mp_num least, error, t;
    if (mpfr_sgn(y->exact[0].v) <= 0 && mpfr_sgn(y->exact[1].v) >= 0) { /* y may be zero */
        return false;
    }
    mp_init(&least, BOUND_BITS);
    (void)mpfr_abs(least.v, mpfr_sgn(y->exact[0].v) > 0 ? y->exact[0].v : y->exact[1].v, MPFR_RNDD);
    set_error(y, true /* a step may flush */, &error);
    /* twice the error: 2 |r| of the comment below, times least */
    (void)mpfr_mul_2ui(error.v, error.v, 1, MPFR_RNDU);
    if (mpfr_cmp(error.v, least.v) >= 0) { /* the divisor is known to less than a factor of two */
        return false;
    }
    /* y (1 + r) with |r| <= error / least below 1/2: 1 / (1 + r) is within 1 + 2 |r| of 1. */
    (void)mpfr_div(error.v, error.v, least.v, MPFR_RNDU);
    (void)mpfr_add_ui(error.v, error.v, 1, MPFR_RNDU);
    (void)mpfr_mul(x->growth.v, x->growth.v, error.v, MPFR_RNDU);
    set_power(
        &t,
        1 - (int)f->prec_bits); /* the quotient's own error; that of a reciprocal is not larger */
    (void)mpfr_mul_d(t.v, t.v, bound_ulp > 1 ? bound_ulp : 1, MPFR_RNDU);
    (void)mpfr_add_ui(t.v, t.v, 1, MPFR_RNDU);
    (void)mpfr_mul(x->growth.v, x->growth.v, t.v, MPFR_RNDU);
    combine(x->exact, y->exact, mpfr_div);
    (void)mpfr_div(x->sum.v, x->sum.v, least.v, MPFR_RNDU);
    if (mpfr_cmp_ui(least.v, 1) < 0) { /* division by more than 1 makes no step larger */
        (void)mpfr_div(x->reach.v, x->reach.v, least.v, MPFR_RNDU);
    }
    return join(x, y, x->n_terms, x->degree + 2); /* a reciprocal and a product */
}

/* The encoding of x, rounded in one direction; past the largest finite an infinity. */
static uint64_t round_to(enum fmt_id fmt, const struct mp_num *x, enum real_mode mode)
{
    const struct float_format *f = &float_formats[fmt];
    struct mp_num t;
    mp_init(&t, f->prec_bits);
    int const ternary = mpfr_set(t.v, x->v, mp_direction(mode));
    return mp_finish(f, &t, ternary, mode);
}

/* Encloses in *out, as numbers of fmt, every evaluation of x: the exact interval, widened by the
 * error and rounded outward. may_flush: a step may flush a subnormal. Returns false where an
 * intermediate step may overflow one of the formats involved, so that the enclosure does not hold. */
bool terms_enclose(const struct terms *x, enum fmt_id fmt, bool may_flush, struct set *out)
{
    enum {
        MINUS_ZERO = -1, /* keys */
        PLUS_ZERO = 0
    };
    const struct float_format *f = &float_formats[fmt];
    struct mp_num error, end, limit;
    int64_t keys[2];
    set_error(x, may_flush, &error);
    for (int i = 0; i < 2; i++) {
        mp_init(&end, EXACT_BITS);
        (void)(i == 0 ? mpfr_sub(end.v, x->exact[0].v, error.v, MPFR_RNDD)
                      : mpfr_add(end.v, x->exact[1].v, error.v, MPFR_RNDU));
        keys[i] = format_to_key(f, round_to(fmt, &end, i == 0 ? REAL_DOWN : REAL_UP));
    }
    set_clear(out, fmt);
    if (keys[0] <= PLUS_ZERO && keys[1] >= MINUS_ZERO) {
        /* a result that rounds to zero may have either sign */
        keys[0] = keys[0] < MINUS_ZERO ? keys[0] : MINUS_ZERO;
        keys[1] = keys[1] > PLUS_ZERO ? keys[1] : PLUS_ZERO;
    }
    set_add_range(out, keys[0], keys[1]);
    /* 2^emax is half of the overflow threshold: a factor of two for the errors of the largest step */
    set_power(&limit, float_formats[shorter(x->shortest, fmt)].emax);
    return mpfr_less_p(x->reach.v, limit.v) != 0;
}
