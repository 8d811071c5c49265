/* oracle/sim/host_math.h -- mathematical instructions by the host's C library in 113 bits: the
 * simulator's chooser `ieee`. Shares no line with the permitted sets. */
#pragma once

#include <string.h>

#include "oracle/sim/host.h"

/* The type that the C library calls _Float128; both compilers know it by this name. */
typedef __float128 quad;

/* Component c of an instruction of an extended set, FRem, FMod, Dot or QuantizeToF16, and of what it
 * writes through a pointer: 1; -1 not one that is known. */
int host_math(struct exec *x, const struct host_modes *modes, const struct invocation *inv,
              const struct mod_inst *in, uint32_t c, struct val *out, struct val *through);
/* An encoding's value; and back, rounded once. */
quad host_widen(enum fmt_id fmt, uint64_t enc);
uint64_t host_narrow(const struct host_modes *modes, enum fmt_id fmt, quad v);
/* v, which the C library gave for function op of x and y, rounded once; where its last bits, which may
 * be wrong or too few, decide, by MPFR instead. */
uint64_t host_narrow_function(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, quad x,
                              quad y, quad v);

/* The sum of n terms, at most HOST_MAX_TERMS, rounded to odd at 113 bits once. */
enum {
    HOST_MAX_TERMS = 16
};
quad host_sum_to_odd(const quad *terms, uint32_t n);

/* oracle/sim/host_func.c: functions of one or two numbers. Row of ops.def by OP_NUMBER: 1 and *out, or
 * 0: not one of these. */
int host_function(uint32_t op, quad x, quad y, quad *out);
/* The same by MPFR, rounded to odd at 113 bits: for results next to where a format's rounding turns.
 * 0 and *out as it was: MPFR has no such function, or no number that a quad holds. */
int host_settle(uint32_t op, quad x, quad y, quad *out);
/* oracle/sim/host_settle.c: what host_settle is for a function of the C library. */
int host_settle_one(quad (*host)(quad), quad x, quad *out);
int host_settle_two(quad (*host)(quad, quad), quad x, quad y, quad *out);
/* Functions with an integer argument: ldexp, pown, rootn. */
int host_function_of_int(uint32_t op, quad x, int n, quad *out);
/* fmin, fmax and the like: is_strict: -0 is below +0. */
quad host_select(int is_max, quad x, quad y);
/* remquo's quotient, its last 7 bits with its sign. */
int host_quotient(quad x, quad y);

/* The C library's functions of that type, which its headers show to one compiler alone. */
extern quad acosf128(quad), acoshf128(quad), asinf128(quad), asinhf128(quad), atanf128(quad);
extern quad atan2f128(quad, quad), atanhf128(quad), cbrtf128(quad), ceilf128(quad);
extern quad copysignf128(quad, quad), cosf128(quad), coshf128(quad), erfcf128(quad);
extern quad erff128(quad), expf128(quad), exp2f128(quad), exp10f128(quad), expm1f128(quad);
extern quad fabsf128(quad), fdimf128(quad, quad), floorf128(quad), fmaf128(quad, quad, quad);
extern quad fmaxf128(quad, quad), fminf128(quad, quad), fmodf128(quad, quad);
extern quad frexpf128(quad, int *), hypotf128(quad, quad), ldexpf128(quad, int);
extern quad lgammaf128_r(quad, int *), logf128(quad), log2f128(quad), log10f128(quad);
extern quad log1pf128(quad), logbf128(quad), powf128(quad, quad), remainderf128(quad, quad);
extern quad rintf128(quad), roundf128(quad), sinf128(quad), sinhf128(quad), sqrtf128(quad);
extern quad nextafterf128(quad, quad);
extern quad tanf128(quad), tanhf128(quad), tgammaf128(quad), truncf128(quad);

/* Rounded to odd: v was cut. */
static inline quad quad_set_last_bit(quad v)
{
    unsigned char bytes[sizeof v];
    memcpy(bytes, &v, sizeof v);
    bytes[0] |= 1; /* little-endian, as all that have this type here */
    memcpy(&v, bytes, sizeof v);
    return v;
}
static inline int quad_is_nan(quad v)
{
    return __builtin_isnan(v) != 0;
}
static inline int quad_is_zero(quad v)
{
    return v <= 0 && v >= 0;
}
static inline int quad_is_same(quad a, quad b)
{
    return a <= b && a >= b;
}
static inline int quad_is_negative(quad v) /* by the sign bit, NaN aside */
{
    return copysignf128(1, v) < 0;
}
static inline int quad_is_inf(quad v)
{
    return fabsf128(v) > 0 && quad_is_same(v, v + v);
}
