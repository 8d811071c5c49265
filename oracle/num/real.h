/* oracle/num/real.h -- the exact result of one operation in 64 bits rounded to odd, which rounds correctly to
 * every format. */
#pragma once

#include <stdint.h>

#include "base/format.h"

/* The directions that a result can be rounded in. */
enum real_mode {
    REAL_NEAREST,
    REAL_ZERO,
    REAL_DOWN,
    REAL_UP
};

/*
 * (-1)^negative * sig * 2^exp. sig is 0 or has its top bit set. Where the exact value has no such
 * form, sig is one of its two neighbours, the odd one at 64 or 63 bits (rounding to odd): since
 * that is at least 2 bits more than any format has, rounding it to a format, its subnormals
 * included, gives the correct rounding of the exact value in every direction (Boldo, Melquiond,
 * "When double rounding is odd"), and comparing it with a power of two gives the same answer.
 */
struct real {
    uint64_t sig;
    int exp;
    int negative;
};

/* The value of a finite encoding, exactly. */
struct real real_of(const struct float_format *f, uint64_t enc);
/* sig * 2^exp, rounded to odd where bits are lost; zero where sig is. */
__extension__ typedef unsigned __int128 real_wide;
struct real real_of_wide(real_wide sig, int exp, int negative);
/* The value of an integer: the 64 bits of v read as signed or not, exactly. */
struct real real_of_int(uint64_t v, int is_signed);
/* One operation on values that came from real_of (at most 53 bits). Operands are not zero;
 * real_add may answer zero, and then the sign says nothing. */
struct real real_add(struct real x, struct real y);
struct real real_mul(struct real x, struct real y);
struct real real_div(struct real x, struct real y);
/* floor(log2 |x|) of the exact value; x is not zero. */
static inline int real_exponent(struct real x)
{
    return x.exp + 63;
}
/* Is the exact |x| below the smallest normal of f? x is not zero. */
static inline int real_is_tiny(const struct float_format *f, struct real x)
{
    return real_exponent(x) < f->emin;
}
/* Is the exact |x| a power of two? x is not zero. */
static inline int real_is_power(struct real x)
{
    return x.sig == UINT64_C(1) << 63;
}
/* The encoding of x rounded once to f, subnormals and overflow included. Zero gives a zero of x's
 * sign. */
uint64_t real_round(const struct float_format *f, struct real x, enum real_mode mode);
/* An encoding of one format in another, rounded once. An infinity stays one; a NaN becomes the quiet one without sign and payload. */
uint64_t real_convert(const struct float_format *from, const struct float_format *to, uint64_t enc,
                      enum real_mode mode);
