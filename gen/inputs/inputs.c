/* gen/inputs/inputs.c -- numbers by class, made of integers alone. */
#include "gen/inputs/inputs.h"

#include <assert.h>

#include "base/format.h"

/* Percent of each class by use, in the order of the enum. */
static const uint8_t mixes[8][INPUT_CLASS_N] = {
    {10, 6,  18, 8,  6, 5, 6,  0, 5,  8, 5, 4, 3, 4, 4, 7, 0, 0,  0,  0, 0,  1},
    {12, 6,  35, 10, 8, 8, 5,  0, 3,  5, 2, 1, 1, 1, 1, 1, 0, 0,  0,  0, 0,  1},
    {1,  0,  89, 0,  6, 0, 0,  0, 0,  2, 0, 0, 0, 0, 2, 0, 0, 0,  0,  0, 0,  0},
    {0,  0,  96, 0,  0, 0, 0,  0, 0,  2, 0, 0, 0, 0, 2, 0, 0, 0,  0,  0, 0,  0},
    {10, 3,  22, 7,  3, 8, 8,  0, 6,  5, 4, 1, 1, 2, 4, 3, 0, 13, 0,  0, 0,  0},
    {4,  3,  30, 6,  8, 0, 4,  0, 6,  5, 4, 1, 1, 2, 2, 2, 0, 10, 12, 0, 0,  0},
    {3,  42, 3,  3,  0, 2, 14, 0, 12, 3, 0, 4, 2, 4, 2, 2, 0, 4,  0,  0, 0,  0},
    {4,  0,  14, 6,  0, 0, 0,  0, 1,  3, 2, 0, 1, 0, 8, 2, 0, 3,  0,  8, 47, 1}
};

enum input_class inputs_pick_class(uint64_t choice, enum input_use use)
{
    const uint8_t *const mix = mixes[use];
    uint64_t at = choice % 100;
    for (int c = 0; c < INPUT_CLASS_N; c++) {
        if (at < mix[c]) {
            return (enum input_class)c;
        }
        at -= mix[c];
    }
    return INPUT_NORMAL;
}

/* A power of two, or up to two encodings away from it. */
static uint64_t near_pow2(const struct float_format *f, struct rng *r)
{
    int const range = f->emax / 2;
    int const e = (int)rng_below(r, 2 * (uint64_t)range + 1) - range;
    uint64_t const enc = inputs_encode(f, rng_next(r) & 1 ? -1 : 1, e);
    return enc - 2 + rng_below(r, 5);
}

/* Odd multiples of half an ulp of numbers from 1 to 4, and neighbours; or such numbers. */
static uint64_t tie(const struct float_format *f, struct rng *r)
{
    int const half_ulp_exp = -(int)f->prec_bits;
    int64_t const k = (int64_t)(2 * rng_below(r, 8) + 1) * (rng_next(r) & 1 ? 1 : -1);
    switch (rng_below(r, 3)) {
    case 0:
        return inputs_encode(f, k, half_ulp_exp);
    case 1:
        return inputs_encode(f, k, half_ulp_exp) + rng_below(r, 2);
    default:
        return inputs_random(f, r, 0, 1);
    }
}

static uint64_t nan_value(const struct float_format *f, struct rng *r, bool is_quiet)
{
    uint64_t const bits = rng_next(r);
    uint64_t const payload = bits & f->frac & ~f->quiet;
    if (is_quiet) {
        return (bits & f->sign) | f->exp | f->quiet | (bits >> 61 == 0 ? payload : 0);
    }
    return (bits & f->sign) | f->exp | (payload ? payload : 1);
}

/* Neither NaN nor infinite, no -0, and not so large that one addition makes it so. */
static bool is_plain(const struct float_format *f, uint64_t enc)
{
    unsigned const n_frac = f->prec_bits - 1;
    uint64_t const exp = enc & f->exp;
    uint64_t const most = (uint64_t)(f->emax + f->emax * 3 / 4) << n_frac;
    return enc != f->sign && exp != f->exp && exp <= most;
}

static uint64_t distinct_pow2(const struct input *in, const struct float_format *f, uint32_t lane)
{
    int const prec = (int)f->prec_bits;
    uint32_t const at = in->first + lane / (in->share ? in->share : 1);
    uint32_t const period = in->period ? in->period : f->prec_bits;
    return inputs_encode(f, 1, (int)(at % period) - prec / 2);
}

static uint64_t exact_value(const struct input *in, const struct float_format *f, struct rng *r)
{
    uint64_t const n = 2 * (uint64_t)in->k_max + 1;
    return inputs_encode(f, (int64_t)rng_below(r, n) - (int64_t)in->k_max, in->exp);
}

static uint64_t subnormal(const struct float_format *f, struct rng *r)
{
    uint64_t const bits = rng_next(r);
    bool const is_small = bits >> 59 == 0;
    uint64_t const frac = is_small ? rng_below(r, 4) : bits & f->frac;
    return (bits & f->sign) | (frac ? frac : 1);
}

static uint64_t factor(const struct input *in, const struct float_format *f, struct rng *r)
{
    bool const is_negative = rng_next(r) & 1;
    int const range = rng_below(r, in->share ? in->share : 1) == 0 ? (int)in->k_max : 0;
    int const e = (int)rng_below(r, 2 * (uint64_t)range + 1) - range;
    return inputs_encode(f, is_negative ? -1 : 1, e);
}

/* A large number, its negative for the next lane, and now and then a small one. */
static uint64_t cancelling(const struct input *in, const struct float_format *f, struct rng *r,
                           uint32_t lane)
{
    struct rng pair = rng_seed(in->seed + lane / 2);
    uint64_t const large = inputs_random(f, &pair, f->emax / 2, f->emax - 2);
    if (rng_below(r, 4) == 0) {
        return inputs_random(f, r, -4, 4);
    }
    return large ^ (lane % 2 ? f->sign : 0);
}

/* Returns the float of that class that lane `lane` gets from the input `in`, as an encoding. r is the
 * lane's own generator of random numbers; `shared` is one that gives several lanes the same number. The two
 * numbers that inputs_random is passed are the least and the greatest exponent. */
static uint64_t float_value(const struct input *in, enum input_class class, struct rng *r,
                            uint32_t lane)
{
    const struct float_format *const f = inputs_get_format(in->type);
    struct rng shared;
    switch (class) {
    case INPUT_SMALL_INT: /* -8 to 8 */
        return inputs_encode(f, (int64_t)rng_below(r, 17) - 8, 0);
    case INPUT_ONE: /* one number for all lanes */
        shared = rng_seed(in->seed ^ 1);
        return inputs_random(f, &shared, -3, 3);
    case INPUT_NORMAL:
        return inputs_random(f, r, -8, 6);
    case INPUT_NEAR_POW2:
        return near_pow2(f, r);
    case INPUT_TIES:
        return tie(f, r);
    case INPUT_DISTINCT_POW2:
        return distinct_pow2(in, f, lane);
    case INPUT_EQUAL_PAIRS: /* one of three numbers, so that many lanes have equal ones */
        shared = rng_seed(in->seed + rng_below(r, 3));
        return inputs_random(f, &shared, -2, 2);
    case INPUT_EXACT:
        return exact_value(in, f, r);
    case INPUT_ZERO:
        return rng_next(r) & 1 ? f->sign : 0;
    case INPUT_SUBNORMAL:
        return subnormal(f, r);
    case INPUT_NEAR_OVERFLOW:
        return inputs_random(f, r, f->emax - 1, f->emax);
    case INPUT_QNAN:
        return nan_value(f, r, true); /* quiet */
    case INPUT_SNAN:
        return nan_value(f, r, false);
    case INPUT_INF:
        return f->exp | (rng_next(r) & f->sign);
    case INPUT_BITS:
        return rng_next(r) & format_mask(f);
    case INPUT_MIXED:
        /* a class before INPUT_MIXED, so that the recursion ends; INPUT_EXACT wants exp and k_max too */
        class = (enum input_class)rng_below(r, INPUT_MIXED);
        return float_value(in, class == INPUT_EXACT ? INPUT_NORMAL : class, r, lane);
    case INPUT_POW2: /* a factor whose products are exact */
        return factor(in, f, r);
    case INPUT_RARE: /* mostly normal numbers, one in 16 of any class */
        return float_value(in, rng_below(r, 16) == 0 ? INPUT_MIXED : INPUT_NORMAL, r, lane);
    case INPUT_CANCEL:
        return cancelling(in, f, r, lane);
    case INPUT_SPECIAL:
        return inputs_get_special(f, r);
    case INPUT_DOMAIN:
        return inputs_get_domain(in->domain, in->argument, f, r) & format_mask(f);
    case INPUT_LITERAL:
        return in->seed & format_mask(f);
    }
    assert(0 && "input_class out of range");
    return 0;
}

/* Returns the integer that lane `lane` gets from the input `in`; r is the lane's own generator of random
 * numbers. Classes are named after floats: each gives integers that are like such floats, or any bits where
 * no integers are. */
static uint64_t integer_value(const struct input *in, struct rng *r, uint32_t lane)
{
    unsigned const n_bits = ir_type_bits(in->type);
    uint64_t const mask = n_bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n_bits) - 1;
    uint64_t const sign = UINT64_C(1) << (n_bits - 1);
    switch (in->class) {
    case INPUT_SMALL_INT:
    case INPUT_NORMAL: /* -100 to 100 */
        return (rng_below(r, 201) - 100) & mask;
    case INPUT_ONE: /* one number for all lanes */
    case INPUT_EXACT:
    case INPUT_LITERAL:
        return in->seed & mask;
    case INPUT_DISTINCT_POW2:
    case INPUT_NEAR_POW2: /* a bit of its own for each lane, as far as there are bits */
        return UINT64_C(1) << ((in->first + lane) % n_bits);
    case INPUT_ZERO: /* or all ones */
        return rng_next(r) & 1 ? mask : 0;
    case INPUT_NEAR_OVERFLOW: /* about the largest and the smallest signed one */
    case INPUT_INF:
        return (sign - 2 + rng_below(r, 4)) & mask;
    case INPUT_EQUAL_PAIRS: /* few different numbers, all near 0 */
    case INPUT_SUBNORMAL:
        return rng_below(r, 4);
    case INPUT_RARE: /* all ones but for one bit */
        return mask ^ UINT64_C(1) << rng_below(r, n_bits);
    case INPUT_TIES:
    case INPUT_QNAN:
    case INPUT_SNAN:
    case INPUT_BITS:
    case INPUT_MIXED:
    case INPUT_POW2:
    case INPUT_CANCEL:
    case INPUT_SPECIAL:
    case INPUT_DOMAIN:
        return rng_next(r) & mask;
    }
    assert(0 && "input_class out of range");
    return 0;
}

/* enc if it is no number (NaN, infinity) or lies in the range, else another number that does. */
static uint64_t put_in_range(const struct float_format *f, struct rng *r, enum input_range range,
                             uint64_t enc)
{
    uint64_t const size = enc & ~f->sign;
    uint64_t const unit = inputs_encode(f, 1, 0);
    if (size >= f->exp) {
        return enc;
    }
    switch (range) {
    case RANGE_ALL:
        return enc;
    case RANGE_NOT_NEGATIVE:
        return size;
    case RANGE_UNIT:
        return size <= unit ? enc : inputs_random(f, r, -12, -1);
    case RANGE_PI: /* 201 / 64 is next below pi in f16, and below it in all */
        return size <= inputs_encode(f, 201, -6) ? enc : inputs_random(f, r, -9, 0);
    case RANGE_FROM_ONE:
        return size >= unit ? size : inputs_random(f, r, 0, 9) & ~f->sign;
    }
    assert(0 && "input_range out of range");
    return enc;
}

/* Does lane `lane` get a special number in place of one of the class? */
static bool is_special_lane(const struct input *in, uint32_t lane)
{
    enum {
        PERIOD = 8,
        FOR_ALL = 2, /* lanes of each period: for all arguments, */
        FOR_ONE      /* and for the first in one period, for the others in the next */
    };
    uint32_t const at = lane - in->special_shift;
    bool const is_of_others = at / PERIOD % 2;
    bool const is_for_one = at % PERIOD == FOR_ONE && (in->argument > 0) == is_of_others;
    return in->has_special && !in->plain && in->class != INPUT_LITERAL &&
           (at % PERIOD == FOR_ALL || is_for_one);
}

/* A NaN, an infinity, or any special number. */
static uint64_t get_special_of_lane(const struct input *in, const struct float_format *f,
                                    uint32_t lane)
{
    struct rng r = rng_seed(in->seed + (lane + 1) * UINT64_C(0xd1342543de82ef95));
    switch (rng_below(&r, 6)) {
    case 0:
    case 1:
        return nan_value(f, &r, true);
    case 2:
        return f->exp | (rng_next(&r) & f->sign);
    default:
        return inputs_get_special(f, &r);
    }
}

uint64_t inputs_get_value(const struct input *in, uint32_t lane)
{
    struct rng r = rng_seed(in->seed + lane * UINT64_C(0x9e3779b97f4a7c15));
    if (!ir_type_is_float(in->type)) {
        return integer_value(in, &r, lane);
    }
    const struct float_format *const f = inputs_get_format(in->type);
    uint64_t const drawn = is_special_lane(in, lane) ? get_special_of_lane(in, f, lane)
                                                     : float_value(in, in->class, &r, lane);
    uint64_t const enc = put_in_range(f, &r, in->range, drawn);
    return in->plain && !is_plain(f, enc) ? inputs_random(f, &r, -2, 2) : enc;
}

/* The smallest k with 2^k >= n. */
static uint32_t log2_ceil(uint32_t n)
{
    uint32_t k = 0;
    while ((UINT64_C(1) << k) < n) {
        k++;
    }
    return k;
}

static uint32_t clamp(uint64_t n, uint32_t least, uint32_t most)
{
    return n < least ? least : n > most ? most : (uint32_t)n;
}

/*
 * Makes `in` the terms of a sum, or the factors of a product, over any of n lanes that come out the same in
 * any order. Three schemes; p is the precision.
 * Factors (INPUT_POW2): exponents up to k_max, for one lane in `share`, come to about n * k_max / (4 * share)
 * on either side, at most emax * 2 / 5: beyond emax hardly ever.
 * Powers of two (INPUT_DISTINCT_POW2): with the largest 2^(period-1) for each of n lanes the sum stays within
 * n * 2^(period-1) <= 2^p, all in multiples of the smallest.
 * Multiples k * 2^exp (INPUT_EXACT): n * k_max <= 2^p.
 */
void inputs_make_exact(struct input *in, bool is_product, uint32_t n, uint64_t choice)
{
    const struct float_format *const f = inputs_get_format(in->type);
    uint32_t const room = (uint32_t)f->emax * 8 / 5;
    uint32_t const n_carries = log2_ceil(n);
    in->plain = false;
    if (is_product) {
        in->class = INPUT_POW2;
        in->k_max = clamp(room / n, 1, 8);
        in->share = (n * in->k_max + room - 1) / room;
    } else if (choice % 2 == 0) {
        in->class = INPUT_DISTINCT_POW2;
        in->first = (uint32_t)(choice / 2 % 64);
        in->period = f->prec_bits > n_carries ? f->prec_bits - n_carries + 1 : 1;
    } else {
        in->class = INPUT_EXACT;
        in->exp = (int)(choice / 2 % 9) - 6;
        in->k_max = clamp((UINT64_C(1) << f->prec_bits) / n, 0, 1000);
    }
}

void inputs_fill(const struct input *in, unsigned char *to, uint32_t n)
{
    unsigned const n_bytes = ir_type_bits(in->type) / 8;
    for (uint32_t lane = 0; lane < n; lane++) {
        store_le(to + (size_t)lane * n_bytes, inputs_get_value(in, lane), n_bytes);
    }
}
