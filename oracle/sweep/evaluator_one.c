/* oracle/sweep/evaluator_one.c -- functions of one argument in double: the kernels. */
#include "oracle/sweep/evaluator_one.h"

#include <math.h>

#include "oracle/sweep/evaluator_kernel.h"

/* A kernel that is one expression in x. */
#define KERNEL(name, expression)                                                                   \
    EVALUATOR_INLINE double name##_kernel(double x)                                                \
    {                                                                                              \
        return expression;                                                                         \
    }

/* --- exponential functions and hyperbolic ones: e^x = 2^k (1 + p) --- */

struct exp_value {
    double scale; /* 2^k */
    double p;     /* e^r - 1, relatively close */
};

/* shifted = k + EVALUATOR_ROUNDER, |k| < 1022; |r| <= ln(2)/2 and a little. The polynomial is
 * (e^r - 1 - r) / r^2, within 2^-61 of e^r at Chebyshev's points. */
EVALUATOR_INLINE struct exp_value exp_parts(double shifted, double r)
{
    double q = 0x1.1f7340db9ef32p-29;
    q = q * r + 0x1.af4e554377204p-26;
    q = q * r + 0x1.27e4db46cdf51p-22;
    q = q * r + 0x1.71de01fdbf9cap-19;
    q = q * r + 0x1.a01a01a6e1e2ap-16;
    q = q * r + 0x1.a01a01abf85abp-13;
    q = q * r + 0x1.6c16c16c162c3p-10;
    q = q * r + 0x1.11111111100bep-7;
    q = q * r + 0x1.5555555555556p-5;
    q = q * r + 0x1.5555555555557p-3;
    q = q * r + 0.5;
    return (struct exp_value){double_of((bits_of(shifted) + 1023) << 52), r + r * r * q};
}

/* k = x / ln 2 rounded; the upper part of ln 2 has 34 bits, so its product with k is exact. */
EVALUATOR_INLINE struct exp_value exp_reduced(double x)
{
    double const shifted = x * 0x1.71547652b82fep+0 + EVALUATOR_ROUNDER;
    double const k = shifted - EVALUATOR_ROUNDER;
    return exp_parts(shifted, (x - k * 0x1.62e42fef80000p-1) - k * 0x1.1cf79abc9e3b4p-36);
}

EVALUATOR_INLINE double exp_of(struct exp_value v)
{
    return v.scale + v.scale * v.p;
}

EVALUATOR_INLINE double expm1_of(struct exp_value v)
{
    return v.scale * v.p + (v.scale - 1);
}

/* Beyond these the result is far beyond f32, and still a normal double. */
#define EXP_LIMIT   690.0
#define EXP2_LIMIT  990.0
#define EXP10_LIMIT 298.0

EVALUATOR_INLINE double clamped(double x, double limit)
{
    double const below = x > limit ? limit : x;
    return below < -limit ? -limit : below;
}

KERNEL(exp, exp_of(exp_reduced(clamped(x, EXP_LIMIT))))

/* x = k + r exactly. */
EVALUATOR_INLINE double exp2_kernel(double x)
{
    double const y = clamped(x, EXP2_LIMIT);
    double const shifted = y + EVALUATOR_ROUNDER;
    double const r = y - (shifted - EVALUATOR_ROUNDER);
    return exp_of(exp_parts(shifted, r * 0x1.62e42fefa39efp-1));
}

EVALUATOR_INLINE double exp10_kernel(double x)
{
    double const y = clamped(x, EXP10_LIMIT);
    double const shifted = y * 0x1.a934f0979a371p+1 + EVALUATOR_ROUNDER;
    double const k = shifted - EVALUATOR_ROUNDER;
    double const r = (y - k * 0x1.3441350900000p-2) - k * 0x1.ef3fde623e256p-35;
    return exp_of(exp_parts(shifted, r * 0x1.26bb1bbb55516p+1));
}

KERNEL(expm1, expm1_of(exp_reduced(clamped(x, EXP_LIMIT))))

EVALUATOR_INLINE double cosh_kernel(double x)
{
    double const e = exp_of(exp_reduced(clamped(x, EXP_LIMIT)));
    return 0.5 * e + 0.5 / e;
}

/* With u = e^|x| - 1: (e^|x| - e^-|x|) / 2 = (u + u / (u + 1)) / 2. */
EVALUATOR_INLINE double sinh_kernel(double x)
{
    double const u = expm1_of(exp_reduced(clamped(magnitude_of(x), EXP_LIMIT)));
    return with_sign(0.5 * (u + u / (u + 1)), x);
}

/* With u = e^2|x| - 1: u / (u + 2). */
EVALUATOR_INLINE double tanh_kernel(double x)
{
    double const u = expm1_of(exp_reduced(clamped(2 * magnitude_of(x), 80)));
    return with_sign(u / (u + 2), x);
}

/* --- logarithms, inverse hyperbolic functions and the cube root --- */

/* log(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1], relatively close: 2 atanh(s), s = f / (2 + f). The
 * polynomial is (atanh(s) / s - 1) / s^2 in s^2, within 2^-57. */
EVALUATOR_INLINE double log_near_1(double f)
{
    double const s = f / (2 + f);
    double const z = s * s;
    double q = 0x1.2b5f68a50d903p-4;
    q = q * z + 0x1.39fdcceb4bb45p-4;
    q = q * z + 0x1.7462b91b8df65p-4;
    q = q * z + 0x1.c71c62d5e53e0p-4;
    q = q * z + 0x1.2492492dfd86cp-3;
    q = q * z + 0x1.9999999995273p-3;
    q = q * z + 0x1.5555555555558p-2;
    return 2 * s + 2 * s * z * q;
}

struct log_value {
    double k, f; /* x = 2^k (1 + f) */
};

/* x > 0 and normal. */
EVALUATOR_INLINE struct log_value log_split(double x)
{
    uint64_t const half = 0x3fe6a09e667f3bcd; /* sqrt(1/2) */
    uint64_t const moved = bits_of(x) - half;
    uint64_t const k = ((moved >> 52) + 1024) & 0xfff; /* not negative */
    double const m = double_of((moved & 0xfffffffffffff) + half);
    return (struct log_value){double_of(k | 0x4330000000000000) - (0x1p52 + 1024), m - 1};
}

EVALUATOR_INLINE double nan_unless(int holds, double x)
{
    return holds ? x : EVALUATOR_NAN;
}

/* k times the upper part of ln 2, 34 bits, is exact. */
EVALUATOR_INLINE double log_of(struct log_value v)
{
    return v.k * 0x1.62e42fef80000p-1 + (v.k * 0x1.1cf79abc9e3b4p-36 + log_near_1(v.f));
}

KERNEL(log, nan_unless(x > 0, log_of(log_split(x))))

EVALUATOR_INLINE double log2_kernel(double x)
{
    struct log_value const v = log_split(x);
    return nan_unless(x > 0, v.k + log_near_1(v.f) * 0x1.71547652b82fep+0);
}

EVALUATOR_INLINE double log10_kernel(double x)
{
    struct log_value const v = log_split(x);
    double const low = v.k * 0x1.ef3fde623e256p-35 + log_near_1(v.f) * 0x1.bcb7b1526e50ep-2;
    return nan_unless(x > 0, v.k * 0x1.3441350900000p-2 + low);
}

/* Near 0 as it stands; elsewhere 1 + u rounds by 2^-53, which a logarithm above 0.3 bears. */
EVALUATOR_INLINE double log1p_kernel(double u)
{
    struct log_value const v = log_split(1 + u);
    int const is_near = u > -0.29 && u < 0.41;
    struct log_value const w = {is_near ? 0 : v.k, is_near ? u : v.f};
    return nan_unless(u > -1, log_of(w));
}

EVALUATOR_INLINE double asinh_kernel(double x)
{
    double const a = magnitude_of(x);
    double const square = a * a;
    return with_sign(log1p_kernel(a + square / (1 + __builtin_sqrt(1 + square))), x);
}

EVALUATOR_INLINE double acosh_kernel(double x)
{
    double const t = x - 1;
    return nan_unless(t >= 0, log1p_kernel(t + __builtin_sqrt(t * (t + 2))));
}

EVALUATOR_INLINE double atanh_kernel(double x)
{
    double const a = magnitude_of(x);
    return with_sign(0.5 * log1p_kernel(2 * a / (1 - a)), x);
}

/* One step to x^(-1/3): with h = 1 - x r^3, x^(-1/3) = r (1 - h)^(-1/3) = r (1 + h/3 + 2 h^2/9 + ...). */
EVALUATOR_INLINE double cbrt_step(double x, double r)
{
    double const h = 1 - x * (r * r * r);
    double q = 35.0 / 243;
    q = q * h + 14.0 / 81;
    q = q * h + 2.0 / 9;
    q = q * h + 0x1.5555555555555p-2;
    return r + r * (h * q);
}

/* The first guess of x^(-1/3) from the upper bits of the encoding, within 4%; x^(1/3) = x r^2. */
EVALUATOR_INLINE double cbrt_kernel(double x)
{
    double const a = magnitude_of(x);
    double const upper = double_of(bits_of(a) >> 32 | 0x4330000000000000) - 0x1p52;
    double const guess = 0x1.54fbc4p30 - upper * 0x1.5555555555555p-2;
    double r = double_of(bits_of(guess + 0x1p52) << 32);
    r = cbrt_step(a, r);
    r = cbrt_step(a, r);
    return with_sign(a * (r * r), x);
}

/* --- sine, cosine, tangent and their inverses, of any f32 --- */

#define PI_HALF 0x1.921fb54442d18p+0
#define PI      0x1.921fb54442d18p+1
#define ONE_PI  0x1.45f306dc9c883p-2 /* 1 / pi */

enum {
    N_PI_BITS = 128
};

static const double pi_bits[3][N_PI_BITS] = {
    {
#define PI_BITS(e, first, second, third) first,
#include "oracle/sweep/evaluator_pi.def"
    },
    {
#define PI_BITS(e, first, second, third) second,
#include "oracle/sweep/evaluator_pi.def"
    },
    {
#define PI_BITS(e, first, second, third) third,
#include "oracle/sweep/evaluator_pi.def"
    },
};

struct angle {
    double r;          /* |r| <= pi/4 and a little */
    uint64_t quadrant; /* in the low two bits */
};

/*
 * |x| < 2^20. pi/2 is cut into 33 bits, 33 bits and the rest, so the products with k (21 bits) of the
 * first two are exact; so is the first difference, and the second where it cancels.
 */
EVALUATOR_INLINE struct angle reduce_near(double x)
{
    double const shifted = x * 0x1.45f306dc9c883p-1 + EVALUATOR_ROUNDER;
    double const k = shifted - EVALUATOR_ROUNDER;
    double const r =
        ((x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a600000p-34) - k * 0x1.3198a2e037073p-69;
    return (struct angle){r, bits_of(shifted)};
}

/*
 * x = m 2^(e - 23), m of 24 bits, e from 20 to 127. The product of m and the first bits of
 * 2^(e - 23) 2/pi mod 4 has 24 + 29 = 53 bits: exact. So is that with the second; the sum of their
 * fractions rounds by 2^-53 of itself at most, for a small sum is exact. The third product is below
 * 2^-32, rounded by 2^-85; no f32 is nearer to a multiple of pi/2 than 2^-31.
 */
EVALUATOR_INLINE struct angle reduce_far(double x)
{
    uint64_t const enc = bits_of(x);
    uint64_t const e = ((enc >> 52) - 1023) & (N_PI_BITS - 1);
    double const m = double_of((enc & 0x800fffffffffffff) | (uint64_t)(1023 + 23) << 52);
    double const first = m * pi_bits[0][e];
    double const shifted = first + EVALUATOR_ROUNDER;
    double const sum = (first - (shifted - EVALUATOR_ROUNDER)) + m * pi_bits[1][e];
    double const again = sum + EVALUATOR_ROUNDER;
    double const s = (sum - (again - EVALUATOR_ROUNDER)) + m * pi_bits[2][e];
    return (struct angle){s * PI_HALF, bits_of(shifted) + bits_of(again)};
}

EVALUATOR_INLINE struct angle reduce_any(double x)
{
    struct angle const near = reduce_near(x);
    struct angle const far = reduce_far(x);
    int const is_near = magnitude_of(x) < EVALUATOR_NEAR_LIMIT;
    /* the bits of a NaN look like a number */
    double const far_r = far.r + (x - x);
    return (struct angle){is_near ? near.r : far_r, is_near ? near.quadrant : far.quadrant};
}

/* Of pi x: x = k / 2 + s exactly. Beyond 2^25 every x is even. */
EVALUATOR_INLINE struct angle reduce_pi(double x)
{
    double const a = magnitude_of(x) < 0x1p25 ? x : x - x;
    double const shifted = 2 * a + EVALUATOR_ROUNDER;
    double const s = a - 0.5 * (shifted - EVALUATOR_ROUNDER);
    return (struct angle){s * PI, bits_of(shifted)};
}

/* sin(r) = r + r z S(z), z = r^2, within 2^-57. */
EVALUATOR_INLINE double sin_near_0(double r)
{
    double const z = r * r;
    double q = -0x1.ab161757f0c63p-41;
    q = q * z + 0x1.61217c1864fa1p-33;
    q = q * z + -0x1.ae64540f0ba18p-26;
    q = q * z + 0x1.71de3a545e700p-19;
    q = q * z + -0x1.a01a01a019926p-13;
    q = q * z + 0x1.1111111111110p-7;
    q = q * z + -0x1.5555555555555p-3;
    return r + r * (z * q);
}

/* cos(r) = 1 + z C(z), within 2^-60. */
EVALUATOR_INLINE double cos_near_0(double r)
{
    double const z = r * r;
    double q = 0x1.ab08406ef3c69p-45;
    q = q * z + -0x1.9393d0caba334p-37;
    q = q * z + 0x1.1eed8d2e80686p-29;
    q = q * z + -0x1.27e4fb767c940p-22;
    q = q * z + 0x1.a01a01a019582p-16;
    q = q * z + -0x1.6c16c16c16c13p-10;
    q = q * z + 0x1.5555555555555p-5;
    q = q * z + -0x1.0000000000000p-1;
    return 1 + z * q;
}

/* The sine of the angle plus `quarters` quarter turns. */
EVALUATOR_INLINE double sin_of(struct angle v, uint64_t quarters)
{
    uint64_t const quadrant = v.quadrant + quarters;
    double const s = sin_near_0(v.r);
    double const c = cos_near_0(v.r);
    double const y = quadrant & 1 ? c : s;
    return double_of(bits_of(y) ^ (quadrant & 2) << 62);
}

EVALUATOR_INLINE double tan_of(struct angle v)
{
    double const s = sin_near_0(v.r);
    double const c = cos_near_0(v.r);
    int const is_odd = (v.quadrant & 1) != 0;
    return (is_odd ? -c : s) / (is_odd ? s : c);
}

KERNEL(sin_near, sin_of(reduce_near(x), 0))
KERNEL(cos_near, sin_of(reduce_near(x), 1))
KERNEL(tan_near, tan_of(reduce_near(x)))
KERNEL(sin_any, sin_of(reduce_any(x), 0))
KERNEL(cos_any, sin_of(reduce_any(x), 1))
KERNEL(tan_any, tan_of(reduce_any(x)))

/* sinpi(n) is a zero of the sign of n. */
EVALUATOR_INLINE double sinpi_kernel(double x)
{
    struct angle const v = reduce_pi(x);
    double const y = sin_of(v, 0);
    return magnitude_of(y) <= 0 ? with_sign(0, x) : y;
}

/* cospi(n + 1/2) is +0. */
KERNEL(cospi, sin_of(reduce_pi(x), 1) + 0.0)

/* tanpi(n) is a zero of the sign of n for even n, of the other for odd n; tanpi(n + 1/2) is +infinity
 * for even n, -infinity for odd n. */
EVALUATOR_INLINE double tanpi_kernel(double x)
{
    struct angle const v = reduce_pi(x);
    double const infinity = double_of(0x7ff0000000000000);
    double const y = tan_of(v);
    double const zero = double_of(bits_of(with_sign(0, x)) ^ (v.quadrant & 2) << 62);
    double const pole = v.quadrant & 2 ? -infinity : infinity;
    double const exact = v.quadrant & 1 ? pole : zero;
    return magnitude_of(v.r) <= 0 ? exact : y;
}

/* atan(r) = r + r z A(z) for |r| <= sqrt(2) - 1, within 2^-58. */
EVALUATOR_INLINE double atan_near_0(double r)
{
    double const z = r * r;
    double q = -0x1.c73ae7f95c48fp-7;
    q = q * z + 0x1.f584cc2ef7db9p-6;
    q = q * z + -0x1.50253ac88b1f2p-5;
    q = q * z + 0x1.82972e612307dp-5;
    q = q * z + -0x1.aebc3aae6ea6ep-5;
    q = q * z + 0x1.e1d8d219a7bbdp-5;
    q = q * z + -0x1.1110ce17fe8c4p-4;
    q = q * z + 0x1.3b13aea08584bp-4;
    q = q * z + -0x1.745d17352094dp-4;
    q = q * z + 0x1.c71c71c6dc99ep-4;
    q = q * z + -0x1.2492492492099p-3;
    q = q * z + 0x1.9999999999996p-3;
    q = q * z + -0x1.5555555555555p-2;
    return r + r * (z * q);
}

/* atan(a) = pi/2 - atan(1/a) = pi/4 + atan((a - 1) / (a + 1)). */
EVALUATOR_INLINE double atan_kernel(double x)
{
    double const a = magnitude_of(x);
    int const is_large = a > 0x1.3504f333f9de6p+1;  /* sqrt(2) + 1 */
    int const is_middle = a > 0x1.a827999fcef32p-2; /* sqrt(2) - 1 */
    double const above = is_large ? -1 : (is_middle ? a - 1 : a);
    double const below = is_large ? a : (is_middle ? a + 1 : 1);
    double const base = is_large ? PI_HALF : (is_middle ? PI_HALF / 2 : 0);
    return with_sign(base + atan_near_0(above / below), x);
}

KERNEL(atanpi, atan_kernel(x) * ONE_PI)

/* asin(s) = s + s z A(z), z = s^2 <= 1/4, within 2^-58. */
EVALUATOR_INLINE double asin_near_0(double s, double z)
{
    double q = 0x1.e5eaecd73c048p-6;
    q = q * z + -0x1.3c6e8bda1c90dp-6;
    q = q * z + 0x1.4130d8bed6eb5p-6;
    q = q * z + 0x1.8c81fb8b1b7bfp-9;
    q = q * z + 0x1.318cd22051506p-7;
    q = q * z + 0x1.3b4278fd527e2p-7;
    q = q * z + 0x1.7b035f7cda474p-7;
    q = q * z + 0x1.c9909b105280dp-7;
    q = q * z + 0x1.1c4efd5fe89ecp-6;
    q = q * z + 0x1.6e8ba11f8c9d4p-6;
    q = q * z + 0x1.f1c71c7a697e2p-6;
    q = q * z + 0x1.6db6db6dabff2p-5;
    q = q * z + 0x1.3333333333389p-4;
    q = q * z + 0x1.5555555555555p-3;
    return s + s * (z * q);
}

/* asin(a) where a <= 1/2, else asin(sqrt((1 - a) / 2)), which is acos(a) / 2. NaN above 1. */
EVALUATOR_INLINE double asin_half(double a)
{
    double const rest = 0.5 * (1 - a);
    double const z = a > 0.5 ? rest : a * a;
    double const root = __builtin_sqrt(rest);
    return asin_near_0(a > 0.5 ? root : a, z);
}

EVALUATOR_INLINE double asin_kernel(double x)
{
    double const a = magnitude_of(x);
    double const p = asin_half(a);
    return with_sign(a > 0.5 ? PI_HALF - 2 * p : p, x);
}

EVALUATOR_INLINE double acos_kernel(double x)
{
    double const a = magnitude_of(x);
    double const p = asin_half(a);
    double const near_1 = x > 0 ? 2 * p : PI - 2 * p;
    return a > 0.5 ? near_1 : PI_HALF - with_sign(p, x);
}

KERNEL(asinpi, asin_kernel(x) * ONE_PI)
KERNEL(acospi, acos_kernel(x) * ONE_PI)

/* --- roots, quotients, products and exact functions --- */

KERNEL(sqrt, __builtin_sqrt(x))
KERNEL(rsqrt, 1 / __builtin_sqrt(x))
KERNEL(recip, 1 / x)
KERNEL(degrees, x * 0x1.ca5dc1a63c1f8p+5)
KERNEL(radians, x * 0x1.1df46a2529d39p-6)
KERNEL(fabs, magnitude_of(x))
KERNEL(fnegate, double_of(bits_of(x) ^ (uint64_t)1 << 63))

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

KERNEL(trunc, with_sign(floor_kernel(magnitude_of(x)), x))

/* a + 1/2 is exact for an f32 from 2^-29 on; below, its floor is 0 all the same. */
EVALUATOR_INLINE double round_kernel(double x)
{
    double const a = magnitude_of(x);
    return with_sign(a < 0x1p24 ? floor_kernel(a + 0.5) : a, x);
}

/* 0 for NaN. */
KERNEL(sign, x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0))

EVALUATOR_INLINE double logb_kernel(double x)
{
    uint64_t const field = bits_of(x) >> 52 & 0x7ff;
    double const e = double_of(field | 0x4330000000000000) - (0x1p52 + 1023);
    return field == 0x7ff ? x : e;
}

/* One rounding, and that below 0 alone; of an integer +0. */
KERNEL(fract, x - floor_kernel(x))

/* --- error and gamma functions: the C library's own. Another library, or another variant of it, gives
 * another fingerprint and so has no certificate --- */

/* Results that double cannot hold are small and have a sign, not zero. */
#define SMALL 0x1p-990

EVALUATOR_INLINE double not_vanished(double y)
{
    return magnitude_of(y) < SMALL ? with_sign(SMALL, y) : y;
}

KERNEL(erf, erf(x))
KERNEL(erfc, not_vanished(erfc(x)))
KERNEL(lgamma, lgamma(x))
KERNEL(tgamma, not_vanished(tgamma(x)))

/* --- the loops --- */

#define LOOP(kernel, isa)                                                                          \
    EVALUATOR_TARGET_##isa static void kernel##_##isa(const double *restrict x,                    \
                                                      double *restrict out, uint32_t n)            \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            out[i] = kernel(x[i]);                                                                 \
        }                                                                                          \
    }
/* clang-format off */
#define LOOPS(kernel)                                                                              \
    LOOP(kernel, base)                                                                             \
    LOOP(kernel, avx2)                                                                             \
    LOOP(kernel, avx512)                                                                           \
    static const struct evaluator_loops kernel##_loops = {                                         \
        {kernel##_base, kernel##_avx2, kernel##_avx512}};

/* ROW(function, kernel, is every float result exact) */
#define ROWS                                                                                       \
    ROW(ACOS, acos, 0)          ROW(ACOSH, acosh, 0)        ROW(ACOSPI, acospi, 0)                 \
    ROW(ASIN, asin, 0)          ROW(ASINH, asinh, 0)        ROW(ASINPI, asinpi, 0)                 \
    ROW(ATAN, atan, 0)          ROW(ATANH, atanh, 0)        ROW(ATANPI, atanpi, 0)                 \
    ROW(CBRT, cbrt, 0)          ROW(CEIL, ceil, 1)          ROW(COSH, cosh, 0)                     \
    ROW(COSPI, cospi, 0)        ROW(ERF, erf, 0)            ROW(ERFC, erfc, 0)                     \
    ROW(FRACT, fract, 0)        ROW(LGAMMA, lgamma, 0)      ROW(TGAMMA, tgamma, 0)                 \
    ROW(EXP, exp, 0)            ROW(EXP2, exp2, 0)          ROW(EXP10, exp10, 0)                   \
    ROW(EXPM1, expm1, 0)        ROW(FABS, fabs, 1)          ROW(FLOOR, floor, 1)                   \
    ROW(FNEGATE, fnegate, 1)    ROW(LOG, log, 0)            ROW(LOG2, log2, 0)                     \
    ROW(LOG10, log10, 0)        ROW(LOG1P, log1p, 0)        ROW(LOGB, logb, 1)                     \
    ROW(RINT, rint, 1)          ROW(ROUND, round, 1)        ROW(RSQRT, rsqrt, 0)                   \
    ROW(SINH, sinh, 0)          ROW(SINPI, sinpi, 0)        ROW(SQRT, sqrt, 0)                     \
    ROW(TANH, tanh, 0)          ROW(TANPI, tanpi, 0)        ROW(TRUNC, trunc, 1)                   \
    ROW(DEGREES, degrees, 0)    ROW(RADIANS, radians, 0)    ROW(SIGN, sign, 1)                     \
    ROW(RECIP, recip, 0)

#define ROW(func, kernel, exact) LOOPS(kernel##_kernel)
ROWS
#undef ROW
LOOPS(sin_near_kernel) LOOPS(sin_any_kernel)
LOOPS(cos_near_kernel) LOOPS(cos_any_kernel)
LOOPS(tan_near_kernel) LOOPS(tan_any_kernel)

#define ROW(func, kernel, exact) [FUNC_##func] = {&kernel##_kernel_loops, NULL, exact},
const struct evaluator_one evaluator_ones[FUNC_N] = {
    ROWS
    [FUNC_SIN] = {&sin_any_kernel_loops, &sin_near_kernel_loops, 0},
    [FUNC_COS] = {&cos_any_kernel_loops, &cos_near_kernel_loops, 0},
    [FUNC_TAN] = {&tan_any_kernel_loops, &tan_near_kernel_loops, 0},
};
/* clang-format on */
