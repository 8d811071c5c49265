/* oracle/num/test_ref16.h -- f16 arithmetic by integers, for tests: shares no line with oracle. */
#pragma once

#include <stdint.h>

#include "base/base.h"
#include "oracle/num/arith.h"
#include "oracle/num/real.h"

__extension__ typedef __int128 ref16_big;

/* An exact f16 result is num/den units of 2^-24, den > 0. */
struct ref16_value {
    ref16_big num, den;
};

static inline int ref16_is_nan(uint64_t enc)
{
    return (enc & 0x7fff) > 0x7c00;
}
static inline int ref16_is_inf(uint64_t enc)
{
    return (enc & 0x7fff) == 0x7c00;
}
static inline int ref16_is_zero(uint64_t enc)
{
    return (enc & 0x7fff) == 0;
}
/* Units of 2^-24 of a magnitude 0..0x7c00, where 0x7c00 stands for 2^16. */
static inline int64_t ref16_units(unsigned magnitude)
{
    unsigned const field = magnitude >> 10, frac = magnitude & 1023;
    return field == 0 ? (int64_t)frac : (int64_t)(1024 + frac) << (field - 1);
}
static inline int64_t ref16_signed_units(uint64_t enc)
{
    int64_t const units = ref16_units((unsigned)enc & 0x7fff);
    return (enc & 0x8000) != 0 ? -units : units;
}
static inline ref16_big ref16_abs(ref16_big v)
{
    return v < 0 ? -v : v;
}

/* The largest magnitude 0..0x7bff whose value is <= |v|. */
static inline unsigned ref16_floor(struct ref16_value v)
{
    unsigned lo = 0, hi = 0x7c00;
    while (hi - lo > 1) {
        unsigned const mid = (lo + hi) / 2;
        if ((ref16_big)ref16_units(mid) * v.den <= ref16_abs(v.num)) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* v is not zero. */
static inline uint64_t ref16_round(struct ref16_value v, enum real_mode mode)
{
    unsigned const m = ref16_floor(v);
    unsigned const sign = v.num < 0 ? 0x8000 : 0;
    ref16_big const low = ref16_units(m), high = ref16_units(m + 1), twice = 2 * ref16_abs(v.num);
    if (2 * low * v.den == twice || mode == REAL_ZERO) {
        return sign | m;
    }
    if (mode == REAL_NEAREST) {
        ref16_big const middle = (low + high) * v.den;
        return sign | (m + (twice > middle || (twice == middle && m % 2 == 1) ? 1 : 0));
    }
    return sign | (m + ((mode == REAL_DOWN) == (sign != 0) ? 1 : 0));
}

static inline int ref16_is_tiny(struct ref16_value v)
{
    return v.num != 0 && ref16_abs(v.num) < 1024 * v.den;
}

/* The exact value of op on finite operands; the divisor is not zero. */
static inline struct ref16_value ref16_exact(enum arith_op op, uint64_t x, uint64_t y)
{
    ref16_big const a = ref16_signed_units(x), b = ref16_signed_units(y);
    switch (op) {
    case ARITH_ADD:
        return (struct ref16_value){a + b, 1};
    case ARITH_SUB:
        return (struct ref16_value){a - b, 1};
    case ARITH_MUL:
        return (struct ref16_value){a * b, 1 << 24};
    case ARITH_DIV:
        return (struct ref16_value){(b < 0 ? -a : a) * (1 << 24), ref16_abs(b)};
    case ARITH_FMA:
        break;
    }
    return (struct ref16_value){0, 1};
}

/* One operation on encodings that are not NaN: IEEE 754 sections 6 and 7 by cases. */
static inline uint64_t ref16_apply(enum arith_op op, uint64_t x, uint64_t y, enum real_mode mode,
                                   int *tiny)
{
    uint64_t const nan = 0x7e00, sign = (x ^ y) & 0x8000;
    *tiny = 0;
    if (op == ARITH_SUB) {
        return ref16_apply(ARITH_ADD, x, y ^ 0x8000, mode, tiny);
    }
    if (op == ARITH_ADD && (ref16_is_inf(x) || ref16_is_inf(y))) {
        return ref16_is_inf(x) && ref16_is_inf(y) && x != y ? nan : (ref16_is_inf(x) ? x : y);
    }
    if (op == ARITH_MUL && (ref16_is_inf(x) || ref16_is_inf(y))) {
        return ref16_is_zero(x) || ref16_is_zero(y) ? nan : sign | 0x7c00;
    }
    if (op == ARITH_DIV && (ref16_is_inf(x) || ref16_is_zero(y))) {
        return (ref16_is_inf(x) && ref16_is_inf(y)) || (ref16_is_zero(x) && ref16_is_zero(y))
                   ? nan
                   : sign | 0x7c00;
    }
    if (op == ARITH_DIV && ref16_is_inf(y)) {
        return sign;
    }
    struct ref16_value const v = ref16_exact(op, x, y);
    if (v.num != 0) {
        *tiny = ref16_is_tiny(v);
        return ref16_round(v, mode);
    }
    if (op != ARITH_ADD) {
        return sign;
    }
    if (ref16_is_zero(x) && x == y) {
        return x;
    }
    return mode == REAL_DOWN ? 0x8000 : 0;
}

/* x * y + z, rounded once. */
static inline uint64_t ref16_fused(const uint64_t *args, enum real_mode mode, int *tiny)
{
    uint64_t const x = args[0], y = args[1], z = args[2], sign = (x ^ y) & 0x8000;
    *tiny = 0;
    if (ref16_is_inf(x) || ref16_is_inf(y)) {
        int const invalid = ref16_is_zero(x) || ref16_is_zero(y);
        return invalid ? 0x7e00 : ref16_apply(ARITH_ADD, sign | 0x7c00, z, mode, tiny);
    }
    if (ref16_is_inf(z)) {
        return z;
    }
    struct ref16_value const v = {(ref16_big)ref16_signed_units(x) * ref16_signed_units(y) +
                                      (ref16_big)ref16_signed_units(z) * (1 << 24),
                                  1 << 24};
    if (v.num != 0) {
        *tiny = ref16_is_tiny(v);
        return ref16_round(v, mode);
    }
    /* a zero product and a zero, or numbers that cancel */
    int const same = (ref16_is_zero(x) || ref16_is_zero(y)) && sign == (z & 0x8000);
    return same ? sign : (mode == REAL_DOWN ? 0x8000 : 0);
}

/* Operands where trouble lies: zeros, subnormals, powers of two, the ends of the range, infinities;
 * and of random bits. Never a NaN. */
static inline uint64_t ref16_draw(struct rng *rng)
{
    uint64_t const sign = rng_below(rng, 2) << 15;
    switch (rng_below(rng, 8)) {
    case 0:
        return sign | rng_below(rng, 2) * 0x7c00;
    case 1:
        return sign | rng_below(rng, 0x401);
    case 2:
        return sign | (rng_below(rng, 31) << 10) | rng_below(rng, 3);
    case 3:
        return sign | ((rng_below(rng, 30) << 10) + 0x3ff - rng_below(rng, 3));
    case 4:
        return sign | (0x7bff - rng_below(rng, 0x800));
    case 5:
        return sign | (0x3c00 + rng_below(rng, 0x400));
    default:
        return sign | rng_below(rng, 0x7c00);
    }
}
