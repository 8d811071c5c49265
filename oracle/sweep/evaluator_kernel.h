/* oracle/sweep/evaluator_kernel.h -- helpers of the evaluator kernels: without branches, in plain IEEE 754 double
 * operations that are never contracted, so that every instruction set gives the same bits. */
#pragma once

#include <string.h>

#include "oracle/sweep/evaluator.h"

#define EVALUATOR_INLINE static inline __attribute__((always_inline))

/* One loop over a kernel for each instruction set that is told apart. */
#if defined(__x86_64__)
#define EVALUATOR_TARGET_avx2   __attribute__((target("avx2")))
#define EVALUATOR_TARGET_avx512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#else
#define EVALUATOR_TARGET_avx2
#define EVALUATOR_TARGET_avx512
#endif
#define EVALUATOR_TARGET_base
/* A loop that is a macro of the instruction set, for each of them; and a table of the functions it makes. */
#define EVALUATOR_FOR_EACH(LOOP) LOOP(base) LOOP(avx2) LOOP(avx512)
#define EVALUATOR_TABLE(name)                                                                      \
    {                                                                                              \
        name##_base, name##_avx2, name##_avx512                                                    \
    }

/* Adding it rounds to an integer, ties to even, which then stands in the low bits. */
#define EVALUATOR_ROUNDER 0x1.8p52

EVALUATOR_INLINE uint64_t bits_of(double x)
{
    uint64_t enc;
    memcpy(&enc, &x, sizeof enc);
    return enc;
}

EVALUATOR_INLINE double double_of(uint64_t enc)
{
    double x;
    memcpy(&x, &enc, sizeof x);
    return x;
}

#define EVALUATOR_NAN double_of(0x7ff8000000000000)

EVALUATOR_INLINE double magnitude_of(double x)
{
    return double_of(bits_of(x) & ~((uint64_t)1 << 63));
}

/* The magnitude of x with the sign of s. */
EVALUATOR_INLINE double with_sign(double x, double s)
{
    uint64_t const sign = (uint64_t)1 << 63;
    return double_of((bits_of(x) & ~sign) | (bits_of(s) & sign));
}

EVALUATOR_INLINE double nearest_integer(double x)
{
    return (x + EVALUATOR_ROUNDER) - EVALUATOR_ROUNDER;
}
