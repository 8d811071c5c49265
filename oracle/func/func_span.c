/* oracle/func/func_span.c -- from an enclosed value to the encodings that are permitted for it. */
#include "oracle/func/func_span.h"

#include <assert.h>
#include <limits.h>

#include "base/format.h"
#include "oracle/func/func_number.h"
#include "oracle/num/ulp.h"

enum {
    UNDECIDED = 2 /* beside -1, 0, 1 */
};

/* One value and its slack. Encodings count as multiples: index 0 is zero, 1 the smallest
 * subnormal, -1 its negative; the largest finite is max. */
struct range {
    const struct float_format *f;
    const struct func_span *s;
    int64_t max;
    unsigned prec_bits;  /* of ends: what the value has, if that is much */
    struct mp_num slack; /* how far away a result may be, exactly */
};

/* The sign of value - t, where t is at or strictly between t[0] and t[1]. Where both are intervals
 * they are open, so that ends that touch decide. */
static int compare(const struct func_span *s, mpfr_srcptr t0, mpfr_srcptr t1)
{
    bool const is_point = mpfr_equal_p(t0, t1) != 0;
    if (s->is_exact && is_point) {
        int const sign = mpfr_cmp(func_low(s), t0);
        return (sign > 0) - (sign < 0);
    }
    if (mpfr_lessequal_p(t1, func_low(s))) {
        return 1;
    }
    return mpfr_lessequal_p(func_high(s), t0) ? -1 : UNDECIDED;
}

/* The value at an index; one past max stands for 2^(emax + 1). */
static void set_index(const struct float_format *f, struct mp_num *x, int64_t index)
{
    uint64_t const magnitude = (uint64_t)(index < 0 ? -index : index);
    mp_init(x, f->prec_bits);
    if (magnitude > format_max_finite(f)) {
        (void)mpfr_set_ui_2exp(x->v, 1, f->emax + 1, MPFR_RNDN);
        if (index < 0) {
            (void)mpfr_neg(x->v, x->v, MPFR_RNDN);
        }
        return;
    }
    mp_set_enc(x, f, magnitude | (index < 0 ? f->sign : 0));
}

/* The sign of value - (number at index + sign * slack). */
static int compare_to(const struct range *r, int64_t index, int sign)
{
    struct mp_num at, t[2];
    set_index(r->f, &at, index);
    for (unsigned i = 0; i < 2; i++) {
        mpfr_rnd_t const direction = i == 0 ? MPFR_RNDD : MPFR_RNDU;
        mp_init(&t[i], r->prec_bits);
        if (sign == 0) {
            (void)mpfr_set(t[i].v, at.v, direction);
        } else if (sign > 0) {
            (void)mpfr_add(t[i].v, at.v, r->slack.v, direction);
        } else {
            (void)mpfr_sub(t[i].v, at.v, r->slack.v, direction);
        }
    }
    return compare(r->s, t[0].v, t[1].v);
}

/* floor(log2 x), cut to where ulps no longer change. */
static int get_exponent(const struct float_format *f, mpfr_srcptr x)
{
    int const far_out = 2 * f->emax;
    if (mpfr_zero_p(x)) {
        return -far_out;
    }
    if (mpfr_inf_p(x) || mpfr_get_exp(x) > far_out) {
        return far_out;
    }
    return mpfr_get_exp(x) < -far_out ? -far_out : (int)mpfr_get_exp(x) - 1;
}

/* log2 of the value's ulp, or INT_MIN where its ends differ in it. */
static int get_ulp(const struct float_format *f, const struct func_span *s)
{
    mpfr_srcptr const low = func_low(s), high = func_high(s);
    int const e = get_exponent(f, low);
    if (s->is_exact) {
        return ulp_get_exponent(f, e, !mpfr_zero_p(low) && mpfr_min_prec(low) == 1);
    }
    /* just below a power of two the ulp is that of the power itself */
    bool const is_power = !mpfr_inf_p(high) && mpfr_min_prec(high) == 1;
    int const ulp = ulp_get_exponent(f, e, 0);
    return ulp == ulp_get_exponent(f, get_exponent(f, high), is_power) ? ulp : INT_MIN;
}

/* 1 when done: the bound in units of the value. */
static int set_slack(struct range *r, const struct func_bound *b)
{
    int const ulp = get_ulp(r->f, r->s);
    struct mp_num absolute;
    mp_init_double(&r->slack, b->ulp);
    mp_init_double(&absolute, b->absolute);
    if (b->ulp > 0) {
        if (ulp == INT_MIN) {
            return 0;
        }
        (void)mpfr_mul_2si(r->slack.v, r->slack.v, ulp, MPFR_RNDN); /* exact */
    }
    if (mpfr_less_p(r->slack.v, absolute.v)) {
        (void)mpfr_set(r->slack.v, absolute.v, MPFR_RNDN);
    }
    return 1;
}

/* The index that x rounds to, cut to the finite ones; x may be infinite. */
static int64_t get_index(const struct range *r, mpfr_srcptr x, enum real_mode mode)
{
    uint64_t const enc = mp_round(r->f, x, mode);
    int64_t const magnitude = (int64_t)func_magnitude(r->f, enc);
    int64_t const cut = magnitude > r->max ? r->max + 1 : magnitude;
    return (enc & r->f->sign) != 0 ? -cut : cut;
}

/* Finds the largest index (position among the finite encodings) that is not above value + slack, where slack
 * is how far a result may be from the value. 0: not certain at this precision. It starts at what is surely
 * not above, from the lower end of the value, and goes up while the next index is surely not above either. */
static int find_top(const struct range *r, int64_t *index)
{
    struct mp_num t;
    mp_init(&t, r->prec_bits);
    (void)mpfr_add(t.v, func_low(r->s), r->slack.v, MPFR_RNDD);
    *index = get_index(r, t.v, REAL_DOWN);
    if (*index > r->max) {
        *index = r->max;
    }
    while (*index < r->max) {
        int const sign = compare_to(r, *index + 1, -1);
        if (sign == UNDECIDED) {
            return 0;
        }
        if (sign < 0) {
            return 1;
        }
        (*index)++;
    }
    return 1;
}

/* Finds the smallest index that is not below value - slack, as find_top does; max + 1 where all finite
 * ones are. */
static int find_bottom(const struct range *r, int64_t *index)
{
    struct mp_num t;
    mp_init(&t, r->prec_bits);
    (void)mpfr_sub(t.v, func_high(r->s), r->slack.v, MPFR_RNDU);
    *index = get_index(r, t.v, REAL_UP);
    while (*index > -r->max) {
        int const sign = compare_to(r, *index - 1, 1);
        if (sign == UNDECIDED) {
            return 0;
        }
        if (sign > 0) {
            return 1;
        }
        (*index)--;
    }
    return 1;
}

/* --- roundings --- */

static uint64_t to_enc(const struct range *r, int64_t index)
{
    int64_t const m = index < 0 ? -index : index;
    uint64_t const magnitude = m > r->max ? r->f->exp : (uint64_t)m;
    return magnitude | ((index < 0) != r->s->negative ? r->f->sign : 0);
}

/* The indices next to the value, or its own twice, and the sign of value - the middle between them. */
struct neighbours {
    int64_t below, above;
    int to_middle;
};

/* Finds the indices of the representable numbers on both sides of the value (max + 1 stands for
 * 2^(emax + 1)), and on which side of their middle the value lies. The lower end of the enclosure,
 * rounded down, is the lower neighbour if comparisons with the whole enclosure confirm it and the
 * next one. Returns 0 where this precision leaves it uncertain. */
static int find_neighbours(const struct range *r, struct neighbours *p)
{
    struct mp_num below, above;
    p->below = get_index(r, func_low(r->s), REAL_DOWN);
    if (p->below > r->max) { /* a value beyond all numbers lies above the largest */
        p->below = r->max;
    }
    int const sign = compare_to(r, p->below, 0);
    if (sign == UNDECIDED || sign < 0) { /* the value may lie below the lower neighbour */
        return 0;
    }
    if (sign == 0) { /* the value itself is representable */
        p->above = p->below;
        p->to_middle = -1; /* below the middle: the lower neighbour is the nearest */
        return 1;
    }
    p->above = p->below + 1;
    if (p->above <= r->max &&
        compare_to(r, p->above, 0) != -1) { /* the value may lie above the upper neighbour */
        return 0;
    }
    set_index(r->f, &below, p->below);
    set_index(r->f, &above, p->above);
    struct mp_num middle;
    mp_init(&middle, MP_LIMB_BITS);
    (void)mpfr_add(middle.v, below.v, above.v, MPFR_RNDN); /* exact: neighbours, p + 1 bits */
    (void)mpfr_div_2ui(middle.v, middle.v, 1, MPFR_RNDN);
    p->to_middle = compare(r->s, middle.v, middle.v);
    return p->to_middle != UNDECIDED;
}

static int64_t round_to_neighbour(const struct neighbours *p, enum real_mode mode, int negative)
{
    switch (mode) {
    case REAL_NEAREST:
        return p->to_middle < 0 || (p->to_middle == 0 && p->below % 2 == 0) ? p->below : p->above;
    case REAL_ZERO:
        return p->below;
    case REAL_DOWN:
        return negative ? p->above : p->below;
    case REAL_UP:
        return negative ? p->below : p->above;
    }
    assert(0 && "real_mode out of range");
    return 0;
}

/* The correct roundings of the value. */
static void add_correct(const struct range *r, const struct neighbours *p, enum rounding rounding,
                        struct set *out)
{
    if (rounding == ROUND_RNE) {
        set_add(out, to_enc(r, round_to_neighbour(p, REAL_NEAREST, 0)));
        return;
    }
    set_add(out, to_enc(r, p->below));
    if (rounding == ROUND_EITHER) {
        set_add(out, to_enc(r, p->above));
    }
}

static void add_nearest(const struct range *r, const struct neighbours *p, struct set *out)
{
    if (p->to_middle <= 0) {
        set_add(out, to_enc(r, p->below));
    }
    if (p->to_middle >= 0) {
        set_add(out, to_enc(r, p->above));
    }
}

/* --- members --- */

static bool is_bounded(const struct func_bound *b)
{
    return b->ulp > 0 || b->absolute > 0;
}

/* Indices bottom to top; zero is one value, so both zeros are in where it is. */
static void add_indices(const struct range *r, int64_t bottom, int64_t top, struct set *out)
{
    int64_t const lo = r->s->negative ? -top : bottom, hi = r->s->negative ? -bottom : top;
    set_add_range(out, lo <= 0 ? lo - 1 : lo, hi >= 0 ? hi : hi - 1);
}

/* The infinity of one side where 2^(emax + 1) there is within the slack; where rules are lax it and
 * the largest finite as soon as that is passed. */
static int add_infinity(const struct range *r, int side, const struct fp_rules *rules,
                        struct set *out)
{
    int const past_power = compare_to(r, side * (r->max + 1), -side);
    int const past_max = compare_to(r, side * r->max, -side);
    if (past_power == UNDECIDED || past_max == UNDECIDED) {
        return 0;
    }
    if (past_power * side >= 0) {
        set_add(out, to_enc(r, side * (r->max + 1)));
    }
    if ((rules->overflow_lax || rules->rounding == ROUND_EITHER) && past_max * side > 0) {
        set_add(out, to_enc(r, side * r->max));
        set_add(out, to_enc(r, side * (r->max + 1)));
    }
    return 1;
}

/* bottom..top: the indices within the bound; where they do not reach an end, nothing overflows there. */
static int add_overflow(const struct range *r, const struct func_bound *b,
                        const struct neighbours *p, const struct fp_rules *rules, int64_t bottom,
                        int64_t top, struct set *out)
{
    if (p->above > r->max) {
        add_correct(r, p, rules->rounding, out);
    }
    if (!is_bounded(b)) {
        return 1;
    }
    return (top < r->max || add_infinity(r, 1, rules, out)) &&
           (bottom > -r->max || add_infinity(r, -1, rules, out));
}

/* Is the value, which is not zero, below the smallest normal by so little as may be overlooked?
 * UNDECIDED, or 1 or 0. */
static int may_flush(const struct range *r, double bound_ulp)
{
    struct mp_num limit[2], bound;
    int const smallest = r->f->emin - (int)r->f->prec_bits + 1;
    mp_init_double(&bound, bound_ulp);
    for (unsigned i = 0; i < 2; i++) {
        mpfr_rnd_t const direction = i == 0 ? MPFR_RNDD : MPFR_RNDU;
        mp_init(&limit[i], MP_MAX_PREC_BITS);
        (void)mpfr_add_ui(limit[i].v, bound.v, 1UL << (r->f->prec_bits - 1), direction);
        (void)mpfr_mul_2si(limit[i].v, limit[i].v, smallest, direction);
    }
    int const sign = compare(r->s, limit[0].v, limit[1].v);
    return sign == UNDECIDED ? UNDECIDED : sign < 0;
}

/* An exact zero under bound 0: its sign, or either where the rounding decides. */
static void add_exact_zero(const struct range *r, const struct fp_rules *rules, struct set *out)
{
    set_add(out, r->s->negative ? r->f->sign : 0);
    if (r->s->is_cancelled && rules->rounding == ROUND_EITHER) {
        set_add_range(out, -1, 0);
    }
}

static void range_init(struct range *r, const struct func_span *s, enum fmt_id fmt)
{
    static const struct func_bound none = {.ulp = 0};
    r->f = &float_formats[fmt];
    r->s = s;
    r->max = (int64_t)format_max_finite(r->f);
    unsigned const prec_bits = (unsigned)mpfr_get_prec(func_low(s));
    r->prec_bits = prec_bits > MP_MAX_PREC_BITS ? prec_bits : MP_MAX_PREC_BITS;
    (void)set_slack(r, &none);
}

/* Results within the bound, or without one the correct roundings; and what overflows. */
static int add_results(const struct range *r, const struct func_bound *b,
                       const struct neighbours *place, const struct fp_rules *rules,
                       struct set *out)
{
    int64_t bottom = 0, top = 0;
    if (!is_bounded(b)) {
        add_correct(r, place, rules->rounding, out);
    } else if (!find_bottom(r, &bottom) || !find_top(r, &top)) {
        return 0;
    } else if (bottom <= top) {
        add_indices(r, bottom, top, out);
    } else { /* the bound cannot be met */
        add_nearest(r, place, out);
        add_correct(r, place, rules->rounding, out);
    }
    return add_overflow(r, b, place, rules, bottom, top, out);
}

/* Adds to out what is permitted for a value that is enclosed by s. An exact zero without a bound has no
 * roundings. Else zeros where the value may be flushed, then what lies within the bound, or without one
 * the correct roundings. 0: the enclosure is too wide to tell what is permitted. */
int func_add_span(const struct func_span *s, const struct func_bound *b,
                  const struct fp_rules *rules, struct set *out)
{
    struct range r;
    struct neighbours place;
    bool const is_zero = func_is_zero(s);
    range_init(&r, s, (enum fmt_id)out->fmt);
    if (is_zero && !is_bounded(b)) {
        add_exact_zero(&r, rules, out);
        return 1;
    }
    /* 1, 0 or UNDECIDED: may the value count as one below the smallest normal, and the result be a zero? */
    int const flush = is_zero || rules->flush_out == FLUSH_NEVER ? 0 : may_flush(&r, b->ulp);
    if (flush == UNDECIDED || !set_slack(&r, b) || !find_neighbours(&r, &place)) {
        return 0;
    }
    if (flush) {
        set_add_range(out, -1, 0);
        if (rules->flush_out == FLUSH_MUST && !is_bounded(b)) {
            return 1;
        }
    }
    return add_results(&r, b, &place, rules, out);
}

int func_round_span(const struct func_span *s, enum fmt_id fmt, enum real_mode mode, uint64_t *out)
{
    struct range r;
    struct neighbours place;
    range_init(&r, s, fmt);
    if (!find_neighbours(&r, &place)) {
        return 0;
    }
    *out = to_enc(&r, round_to_neighbour(&place, mode, s->negative));
    return 1;
}

int func_is_beyond(const struct func_span *s, const struct float_format *f)
{
    return mpfr_cmp_ui_2exp(func_low(s), 1, f->emax + 1) >= 0;
}

/*
 * *out is how far `got` is above the value that s encloses, in ulps of the value. It lies between ends[0]
 * and ends[1], first as numbers, then in ulps; their middle is given. 1: the ends are so near each other
 * that it is precise, or the value is exact. 0 also where the enclosure is so wide that its ends have
 * different ulps.
 */
int func_measure(const struct func_span *s, enum fmt_id fmt, uint64_t got, double *out)
{
    struct float_format const *f = &float_formats[fmt];
    struct mp_num value, ends[2];
    int const ulp = get_ulp(f, s);
    if (ulp == INT_MIN) {
        return 0;
    }
    mp_init(&value, f->prec_bits);
    mp_set_enc(&value, f, s->negative ? got ^ f->sign : got); /* in the value's own direction */
    mp_init(&ends[0], MP_MAX_PREC_BITS);
    mp_init(&ends[1], MP_MAX_PREC_BITS);
    (void)mpfr_sub(ends[0].v, value.v, func_high(s), MPFR_RNDD);
    (void)mpfr_sub(ends[1].v, value.v, func_low(s), MPFR_RNDU);
    for (unsigned i = 0; i < 2; i++) {
        (void)mpfr_mul_2si(ends[i].v, ends[i].v, -ulp, MPFR_RNDN);
    }
    double const low = mpfr_get_d(ends[0].v, MPFR_RNDN), high = mpfr_get_d(ends[1].v, MPFR_RNDN);
    double const middle = low / 2 + high / 2, size = middle < 0 ? -middle : middle;
    *out = s->negative ? -middle : middle;
    return high - low <= 1e-10 * size || (s->is_exact && !(high > low));
}
