/* oracle/group/reduction_step.h -- computes one rounded addition or multiplication on values held as doubles,
 * whose exact result is kept as a sum of two doubles and rounded once. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/format.h"
#include "oracle/num/real.h"

/*
 * A value of f16 or f32 is held as the double of the same value. A sum of two f16, and a product of
 * two f16 or f32, is exact in a double; a sum of two f32 rounded to nearest twice is as if rounded
 * once (53 >= 2 * 24 + 2). In all other cases the error of the double's operation is a double too
 * (Knuth's and Dekker's transformations) and its sign decides where the first rounding hit a value
 * of the format. This process rounds to nearest and does not flush.
 */
struct step {
    const struct float_format *f;
    enum real_mode mode; /* NEAREST, ZERO or UP */
    int is_product;
    int is_double;  /* f64: the double itself is the format */
    unsigned drop;  /* bits of a double's fraction below those of the format */
    uint64_t least; /* bits of the smallest normal, as a double */
    uint64_t most;  /* of the largest finite */
    double shift;   /* adding it rounds a double to multiples of the smallest subnormal */
};

/* A double: its bias, where its exponent begins, and infinity. */
enum {
    STEP_BIAS = 1023,
    STEP_FRACTION_BITS = 52
};
#define STEP_INFINITY (UINT64_C(2047) << STEP_FRACTION_BITS)

static inline double step_of_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof(d));
    return d;
}

static inline uint64_t step_to_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof(bits));
    return bits;
}

static inline uint64_t step_magnitude(double d)
{
    return step_to_bits(d) & (UINT64_MAX >> 1);
}

/* The double 2^exp, in the normal range. */
static inline double step_power(int exp)
{
    return step_of_bits((uint64_t)(exp + STEP_BIAS) << STEP_FRACTION_BITS);
}

static inline struct step step_make(enum fmt_id fmt, int is_product, enum real_mode mode)
{
    struct float_format const *f = &float_formats[fmt];
    unsigned const drop = 53 - f->prec_bits;
    uint64_t const fraction = (UINT64_MAX >> 12) & ~((UINT64_C(1) << drop) - 1);
    return (struct step){
        .f = f,
        .mode = mode,
        .is_product = is_product,
        .is_double = drop == 0,
        .drop = drop,
        .least = (uint64_t)(f->emin + STEP_BIAS) << STEP_FRACTION_BITS,
        .most = (uint64_t)(f->emax + STEP_BIAS) << STEP_FRACTION_BITS | fraction,
        .shift = drop == 0 ? 0 : 1.5 * step_power(f->emin - (int)f->prec_bits + 53),
    };
}

/* Value of an encoding that is not a NaN. */
static inline double step_load(const struct float_format *f, uint64_t enc)
{
    if (f->n_bits == 64) {
        return step_of_bits(enc);
    }
    unsigned const drop = 53 - f->prec_bits;
    uint64_t const magnitude = enc & (f->exp | f->frac);
    uint64_t const sign = (enc & f->sign) != 0 ? UINT64_C(1) << 63 : 0;
    uint64_t bits;
    if (magnitude >= f->exp) {
        bits = STEP_INFINITY;
    } else if (magnitude <= f->frac) {
        double const unit = step_power(f->emin - (int)f->prec_bits + 1);
        bits = step_to_bits((double)magnitude * unit);
    } else {
        bits = (magnitude << drop) + ((uint64_t)(STEP_BIAS - 1 + f->emin) << STEP_FRACTION_BITS);
    }
    return step_of_bits(sign | bits);
}

/* The encoding of d, a value of the format or what is to overflow: a NaN gives the default quiet NaN, what
 * is above the largest finite number an infinity. */
static inline uint64_t step_store(const struct step *w, double d)
{
    struct float_format const *f = w->f;
    uint64_t const magnitude = step_magnitude(d);
    uint64_t const sign = step_to_bits(d) >> 63 != 0 ? f->sign : 0;
    if (magnitude > STEP_INFINITY) {
        return f->exp | f->quiet;
    }
    if (w->is_double) {
        return sign | magnitude;
    }
    if (magnitude > w->most) {
        return sign | f->exp;
    }
    if (magnitude < w->least) {
        double const per_unit = step_power(-(f->emin - (int)f->prec_bits + 1));
        return sign | (uint64_t)(step_of_bits(magnitude) * per_unit);
    }
    /* the other bias, then the shorter fraction; 1 is the exponent field of the smallest normal */
    uint64_t const bias = (uint64_t)(STEP_BIAS - 1 + f->emin) << STEP_FRACTION_BITS;
    return sign | (magnitude - bias) >> w->drop;
}

/* The neighbouring double above (is_up) or below; s is finite, and not zero unless going up. */
static inline double step_neighbour(double s, int is_up)
{
    uint64_t const bits = step_to_bits(s);
    int const away = (bits >> 63 != 0) != (is_up != 0);
    return step_of_bits(away ? bits + 1 : bits - 1);
}

/* s, below the smallest normal, to a multiple of the smallest subnormal. */
static inline double step_narrow_tiny(const struct step *w, double s)
{
    double const size = step_of_bits(step_magnitude(s)), unit = step_of_bits(w->least) * 0x1p-52;
    double const grain = unit * step_power((int)w->drop);
    double near = (size + w->shift) - w->shift;
    int const is_negative = step_to_bits(s) >> 63 != 0;
    if ((w->mode == REAL_ZERO || (w->mode == REAL_UP && is_negative)) && near > size) {
        near -= grain;
    } else if (w->mode == REAL_UP && !is_negative && near < size) {
        near += grain;
    }
    return is_negative ? -near : near;
}

/* Rounds a double to a value of the narrower format (f16, f32) in w->mode. It works on the bits: those that the
 * format lacks are cut off, and the magnitude goes up by one unit or not. Infinities and NaNs stay as they are. */
static inline double step_narrow(const struct step *w, double s)
{
    uint64_t const bits = step_to_bits(s), magnitude = step_magnitude(s);
    uint64_t const sign = bits ^ magnitude;
    if (magnitude < w->least) {
        return magnitude == 0 ? s : step_narrow_tiny(w, s);
    }
    if (magnitude >= STEP_INFINITY) {
        return s;
    }
    uint64_t const rest = magnitude & ((UINT64_C(1) << w->drop) - 1);
    uint64_t const half = UINT64_C(1) << (w->drop - 1);
    uint64_t kept = magnitude - rest;
    int const away = w->mode == REAL_UP && sign == 0;
    if (w->mode == REAL_NEAREST) {
        uint64_t const odd =
            kept >> w->drop & 1; /* a tie, rest == half, goes to the even neighbour */
        kept += rest + odd > half ? half << 1 : 0;
    } else if (away && rest != 0) {
        kept += half << 1;
    }
    if (kept > w->most) {
        kept = w->mode == REAL_NEAREST || away ? STEP_INFINITY : w->most;
    }
    return step_of_bits(sign | kept);
}

/* s + error, where s is the nearest double of that sum, to the format. s may be the infinity that
 * finite operands gave (error is a NaN), or one that was an operand if the mode goes that way. */
static inline double step_finish(const struct step *w, double s, double error)
{
    if (w->mode == REAL_NEAREST) {
        return w->is_double ? s : step_narrow(w, s);
    }
    if (w->is_double && step_magnitude(s) > w->most) {
        int const stays = w->mode == REAL_UP && s > 0;
        return stays ? s : (s > 0 ? 1.0 : -1.0) * step_of_bits(w->most);
    }
    double const narrow = w->is_double ? s : step_narrow(w, s);
    int const is_up = error > 0 && (w->mode == REAL_UP || s < 0);
    int const is_down = error < 0 && w->mode == REAL_ZERO && s > 0;
    if ((!is_up && !is_down) || step_to_bits(narrow) != step_to_bits(s)) {
        return narrow;
    }
    double const next = step_neighbour(s, is_up);
    return w->is_double ? next : step_narrow(w, next);
}

/* a + b - s exactly, where s is the nearest double; a NaN on overflow. */
static inline double step_sum_error(double a, double b, double s)
{
    double const virtual_b = s - a;
    return (a - (s - virtual_b)) + (b - virtual_b);
}

/* A number of the sign of |a| |b| - |s| where s = a b rounded; 0 where s is infinite. */
static inline double step_product_error(double a, double b, double s)
{
    a = fabs(a), b = fabs(b), s = fabs(s);
    if (step_magnitude(s) == 0) {
        return a > 0 && b > 0 ? 1.0 : 0.0;
    }
    if (step_magnitude(s) >= STEP_INFINITY) {
        return 0;
    }
    /* Below 2^-900 the smaller operand is below 2^-450: scaled, the error is above 2^-1000. */
    double const scale = s < 0x1p-900 ? 0x1p200 : 1.0;
    double const small = (a < b ? a : b) * scale, large = a < b ? b : a;
    return fma(small, large, -s * scale);
}

/* One rounded step; operands of the format, infinities and NaNs included. */
static inline double step_apply(const struct step *w, double a, double b)
{
    double const s = w->is_product ? a * b : a + b;
    if (w->mode == REAL_NEAREST) {
        return w->is_double ? s : step_narrow(w, s);
    }
    if (step_magnitude(a) >= STEP_INFINITY || step_magnitude(b) >= STEP_INFINITY) {
        return s;
    }
    if (!w->is_product) {
        return step_finish(w, s, step_sum_error(a, b, s));
    }
    double const error = w->is_double ? step_product_error(a, b, s) : 0.0;
    return step_finish(w, s, s < 0 ? -error : error);
}
