/* oracle/num/ulp.c -- units in the last place of an exact value, and what lies within n of them. */
#include "oracle/num/ulp.h"

#include <assert.h>

#include "base/format.h"
#include "oracle/num/mp.h"
#include "oracle/num/real.h"

int ulp_get_exponent(const struct float_format *f, int exponent, int is_power)
{
    int const below_power = is_power ? exponent - 1 : exponent; /* of the finer ulp next to it */
    int const finite = exponent > f->emax ? f->emax : below_power;
    return (finite < f->emin ? f->emin : finite) - (int)f->prec_bits + 1;
}

/* The magnitudes of a quotient x/y and of its slack, how far from it a result may be. Ends of a range are
 * kept as numerators over y, so that they are exact. */
struct slack {
    const struct float_format *f;
    struct mp_num x, y;
    struct mp_num slack;     /* bound * ulp(x/y), exact */
    struct mp_num low, high; /* x -+ slack * y: numerators of the ends, rounded outward */
};

static void slack_init(struct slack *s, const struct float_format *f,
                       const struct ulp_quotient *quotient, struct real exact)
{
    int const ulp = ulp_get_exponent(f, real_exponent(exact), real_is_power(exact));
    s->f = f;
    mp_init(&s->x, f->prec_bits);
    mp_set_enc(&s->x, f, quotient->x & ~f->sign);
    mp_init(&s->y, f->prec_bits);
    mp_set_enc(&s->y, f, quotient->y & ~f->sign);
    mp_init_double(&s->slack, quotient->bound_ulp);
    (void)mpfr_mul_2si(s->slack.v, s->slack.v, ulp, MPFR_RNDU);
    mp_init(&s->low, MP_MAX_PREC_BITS);
    mp_init(&s->high, MP_MAX_PREC_BITS);
    (void)mpfr_fma(s->high.v, s->slack.v, s->y.v, s->x.v, MPFR_RNDU);
    (void)mpfr_fms(s->low.v, s->slack.v, s->y.v, s->x.v, MPFR_RNDU);
    (void)mpfr_neg(s->low.v, s->low.v, MPFR_RNDD); /* exact: -(slack*y - x), rounded down */
}

/* The encoding of numerator / y in one direction. */
static uint64_t end_of_range(const struct slack *s, const struct mp_num *numerator,
                             enum real_mode mode)
{
    struct mp_num t;
    mp_init(&t, s->f->prec_bits);
    int const ternary = mpfr_div(t.v, numerator->v, s->y.v, mp_direction(mode));
    return mp_finish(s->f, &t, ternary, mode);
}

/* The sign of numerator / y - significand * 2^exponent. The product with y is exact. */
static int compare(const struct slack *s, const struct mp_num *numerator, uint64_t significand,
                   int exponent)
{
    struct mp_num t;
    mp_init(&t, 2 * MP_LIMB_BITS);
    (void)mpfr_mul_ui(t.v, s->y.v, (unsigned long)significand, MPFR_RNDU);
    (void)mpfr_mul_2si(t.v, t.v, exponent, MPFR_RNDU);
    return mpfr_cmp(numerator->v, t.v);
}

/* The sign of numerator / y - the largest finite. */
static int compare_to_max(const struct slack *s, const struct mp_num *numerator)
{
    struct float_format const *f = s->f;
    return compare(s, numerator, f->frac + (f->frac + 1), f->emax - (int)f->prec_bits + 1);
}

/* Is x/y < smallest normal + bound * smallest subnormal? */
static bool may_flush(const struct slack *s, double bound_ulp)
{
    struct mp_num limit, bound;
    int const smallest = s->f->emin - (int)s->f->prec_bits + 1;
    mp_init_double(&bound, bound_ulp);
    mp_init(&limit, MP_MAX_PREC_BITS);
    (void)mpfr_add_ui(limit.v, bound.v, 1UL << (s->f->prec_bits - 1), MPFR_RNDU);
    (void)mpfr_mul_2si(limit.v, limit.v, smallest, MPFR_RNDU);
    (void)mpfr_mul(limit.v, limit.v, s->y.v, MPFR_RNDU);
    return mpfr_less_p(s->x.v, limit.v);
}

/* Add keys lo..hi of a magnitude, mirrored where the quotient is negative. */
static void add_signed(struct set *out, int negative, int64_t lo, int64_t hi)
{
    if (negative) {
        set_add_range(out, -1 - hi, -1 - lo);
    } else {
        set_add_range(out, lo, hi);
    }
}

/* The correct roundings of the exact value. */
static void add_correct(const struct float_format *f, struct real exact, enum rounding rounding,
                        struct set *out)
{
    if (rounding == ROUND_EITHER) {
        set_add(out, real_round(f, exact, REAL_DOWN));
        set_add(out, real_round(f, exact, REAL_UP));
    } else {
        set_add(out, real_round(f, exact, rounding == ROUND_RNE ? REAL_NEAREST : REAL_ZERO));
    }
}

/* Adds the results within the bound of the exact quotient, as keys lo..hi of its magnitude: finite ones by their
 * distance, or the correctly rounded ones where none is within the bound; then infinity, the largest finite number
 * and zeros by the rules for overflow and flushing. lo is negative where the bound extends past zero. For a
 * negative quotient all results are mirrored (add_signed). */
void ulp_add_quotient(const struct ulp_quotient *quotient, struct set *out)
{
    struct float_format const *f = &float_formats[out->fmt];
    struct real const exact = real_div(real_of(f, quotient->x), real_of(f, quotient->y));
    int64_t const max_key = (int64_t)format_max_finite(f);
    struct slack s;
    assert(quotient->bound_ulp > 0);
    slack_init(&s, f, quotient, exact);

    /* infinity is added by its own rule below, not by its distance */
    int64_t const most = format_to_key(f, end_of_range(&s, &s.high, REAL_DOWN));
    int64_t const hi = most > max_key ? max_key : most;
    int64_t const least = format_to_key(f, end_of_range(&s, &s.low, REAL_UP));
    int64_t lo = least < -1 - max_key ? -1 - max_key : least;
    if (lo == 0) {
        lo = -1; /* both encodings of zero have the value that is within the bound */
    }
    if (lo <= hi) {
        add_signed(out, exact.negative, lo, hi);
    } else {
        add_correct(f, exact, quotient->rounding, out);
    }
    if (compare_to_max(&s, &s.x) > 0) { /* the exact quotient overflows */
        add_correct(f, exact, quotient->rounding, out);
    }
    /* infinity stands for 2^(emax+1) */
    if (compare(&s, &s.high, 1, f->emax + 1) >= 0) {
        add_signed(out, exact.negative, max_key + 1, max_key + 1);
    }
    /* the range passes the largest finite */
    if (quotient->overflow_lax && compare_to_max(&s, &s.high) > 0) {
        add_signed(out, exact.negative, max_key, max_key + 1);
    }
    if (quotient->flush_out != FLUSH_NEVER && may_flush(&s, quotient->bound_ulp)) {
        add_signed(out, 0, -1, 0);
    }
}

double ulp_get_distance(const struct float_format *f, uint64_t of, uint64_t got)
{
    struct mp_num a, b, d;
    mp_init(&a, f->prec_bits);
    mp_set_enc(&a, f, got);
    mp_init(&b, f->prec_bits);
    mp_set_enc(&b, f, of);
    mp_init(&d, MP_LIMB_BITS);
    (void)mpfr_sub(d.v, a.v, b.v, MPFR_RNDN);
    (void)mpfr_abs(d.v, d.v, MPFR_RNDN);
    int const exponent = format_is_zero(f, of) ? f->emin - 1 : real_exponent(real_of(f, of));
    bool const is_power = !format_is_zero(f, of) && real_is_power(real_of(f, of));
    (void)mpfr_mul_2si(d.v, d.v, -ulp_get_exponent(f, exponent, is_power), MPFR_RNDN);
    return mpfr_get_d(d.v, MPFR_RNDZ);
}
