/* oracle/sweep/evaluator_simple.c -- roots, quotients, products and exact functions in double. */
#include "oracle/sweep/evaluator_parts.h"

EVALUATOR_INLINE double sqrt_kernel(double x)
{
    return __builtin_sqrt(x);
}

EVALUATOR_INLINE double rsqrt_kernel(double x)
{
    return 1 / __builtin_sqrt(x);
}

EVALUATOR_INLINE double recip_kernel(double x)
{
    return 1 / x;
}

EVALUATOR_INLINE double degrees_kernel(double x)
{
    return x * 0x1.ca5dc1a63c1f8p+5;
}

EVALUATOR_INLINE double radians_kernel(double x)
{
    return x * 0x1.1df46a2529d39p-6;
}

EVALUATOR_INLINE double fabs_kernel(double x)
{
    return magnitude_of(x);
}

EVALUATOR_INLINE double fnegate_kernel(double x)
{
    return double_of(bits_of(x) ^ (uint64_t)1 << 63);
}

/* From 2^24 on every f32 is an integer; a zero has the sign of x. */
EVALUATOR_INLINE double rint_kernel(double x)
{
    double const y = nearest_integer(x);
    return with_sign(magnitude_of(x) < 0x1p24 ? y : x, x);
}

EVALUATOR_INLINE double floor_kernel(double x)
{
    double const y = rint_kernel(x);
    return with_sign(y > x ? y - 1 : y, x);
}

EVALUATOR_INLINE double ceil_kernel(double x)
{
    double const y = rint_kernel(x);
    return with_sign(y < x ? y + 1 : y, x);
}

EVALUATOR_INLINE double trunc_kernel(double x)
{
    return with_sign(floor_kernel(magnitude_of(x)), x);
}

/* a + 1/2 is exact for an f32 from 2^-29 on; below, its floor is 0 all the same. */
EVALUATOR_INLINE double round_kernel(double x)
{
    double const a = magnitude_of(x);
    return with_sign(a < 0x1p24 ? floor_kernel(a + 0.5) : a, x);
}

/* 0 for NaN. */
EVALUATOR_INLINE double sign_kernel(double x)
{
    return x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0);
}

EVALUATOR_INLINE double logb_kernel(double x)
{
    uint64_t const field = bits_of(x) >> 52 & 0x7ff;
    double const e = double_of(field | 0x4330000000000000) - (0x1p52 + 1023);
    return field == 0x7ff ? x : e;
}

/* One rounding, and that below 0 alone; of an integer +0. */
EVALUATOR_INLINE double fract_kernel(double x)
{
    return x - floor_kernel(x);
}

EVALUATOR_LOOPS(sqrt_kernel)
EVALUATOR_LOOPS(rsqrt_kernel)
EVALUATOR_LOOPS(recip_kernel)
EVALUATOR_LOOPS(degrees_kernel)
EVALUATOR_LOOPS(radians_kernel)
EVALUATOR_LOOPS(fabs_kernel)
EVALUATOR_LOOPS(fnegate_kernel)
EVALUATOR_LOOPS(rint_kernel)
EVALUATOR_LOOPS(floor_kernel)
EVALUATOR_LOOPS(ceil_kernel)
EVALUATOR_LOOPS(trunc_kernel)
EVALUATOR_LOOPS(round_kernel)
EVALUATOR_LOOPS(sign_kernel)
EVALUATOR_LOOPS(logb_kernel)
EVALUATOR_LOOPS(fract_kernel)
