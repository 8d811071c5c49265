/* oracle/num/exact.h -- computes the exact result of one operation on encodings, rounded in any direction, without
 * MPFR; and fast sums. */
#pragma once

#include "oracle/num/arith.h"
#include "oracle/num/real.h"

/* What is known of one exact result: a value that needs no rounding, or a number to round. */
struct exact {
    int is_number;    /* `number` holds, and is not zero */
    int is_cancelled; /* x - x or zeros of both signs: a zero whose sign the direction decides */
    uint64_t special; /* else: NaN, infinity or zero */
    struct real number;
};

/* Exact result of + - * / on encodings that are not NaN; the fused operation is MPFR's. */
struct exact exact_apply(enum arith_op op, const struct float_format *f, const uint64_t *args);
/* The encoding of e in one direction; an invalid operation gives the default quiet NaN. */
uint64_t exact_round(const struct float_format *f, const struct exact *e, enum real_mode mode);
/* Is the result a number, not zero, and below the smallest normal? */
static inline int exact_is_tiny(const struct float_format *f, const struct exact *e)
{
    return e->is_number && real_is_tiny(f, e->number);
}
/* Derive `got` and the tininess again by MPFR; abort on a difference, which is an error of ours.
 * Does nothing without HALFULP_PARANOID. */
void exact_check(enum arith_op op, const struct float_format *f, const uint64_t *args,
                 enum real_mode mode, uint64_t got);

/* One correctly rounded operation on encodings that are not NaN, no flush: `mode` of real.h; the
 * default quiet NaN where the operation is invalid. */
uint64_t arith_round(enum arith_op op, enum fmt_id fmt, const uint64_t *args, enum real_mode mode);
/* Sum of one atomic add, fast: correctly rounded to nearest, no flush. Bits of the result; a NaN
 * result is the default quiet NaN. Exact by construction (f16, f32 in double; f64 natively). */
uint64_t arith_add_rne(enum fmt_id fmt, uint64_t x, uint64_t y);
/* The same toward zero. */
uint64_t arith_add_rtz(enum fmt_id fmt, uint64_t x, uint64_t y);
