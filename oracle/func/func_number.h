/* oracle/func/func_number.h -- properties of argument encodings: magnitude, parity, integers, and functions that
 * return an operand or its neighbour. */
#pragma once

#include "base/func_row.h"

enum func_kind {
    FUNC_FRACTION, /* not an integer: n + 1/2 apart */
    FUNC_HALF_EVEN,
    FUNC_HALF_ODD, /* n + 1/2 where floor(|x|) is even, odd */
    FUNC_EVEN,
    FUNC_ODD
};
/* What a finite encoding that is not zero is among the integers. */
enum func_kind func_get_kind(const struct float_format *f, uint64_t enc);

static inline uint64_t func_magnitude(const struct float_format *f, uint64_t enc)
{
    return enc & (f->exp | f->frac);
}
/* The encoding of 2^exponent, a normal number of f. */
static inline uint64_t func_power(const struct float_format *f, int exponent)
{
    return (uint64_t)(exponent - f->emin + 1) << (f->prec_bits - 1);
}
static inline int func_is_inf(const struct float_format *f, uint64_t enc)
{
    return func_magnitude(f, enc) == f->exp;
}
/* The larger or smaller operand, or the one of that magnitude, as C99 has it; zeros and equal
 * magnitudes: the second. No NaN. */
uint64_t func_select(enum func_id id, const struct float_format *f, uint64_t x, uint64_t y);
/* nextafter of numbers and infinities that are not equal. */
uint64_t func_next_after(const struct float_format *f, uint64_t x, uint64_t y);
