/* oracle/host/host_quad.h -- the host's numbers of 113 bits (binary128), and the C library's functions on them. */
#pragma once

#include <string.h>

/* The type that the C library calls _Float128; both compilers know it by this name. */
typedef __float128 quad;

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
