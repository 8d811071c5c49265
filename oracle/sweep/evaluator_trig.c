/* oracle/sweep/evaluator_trig.c -- sine, cosine, tangent and their inverses in double, of any f32. */
#include "oracle/sweep/evaluator_parts.h"

#define PI_HALF 0x1.921fb54442d18p+0
#define PI      0x1.921fb54442d18p+1
#define ONE_PI  0x1.45f306dc9c883p-2 /* 1 / pi */

enum {
    N_PI_BITS = 128
};
/* Arguments below are reduced by multiples of pi/2 in three parts, the others by bits of 2/pi. */
#define NEAR_LIMIT 0x1p20

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
    int const is_near = magnitude_of(x) < NEAR_LIMIT;
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

/* The sine of the angle, `quarters` further on. */
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

EVALUATOR_INLINE double sin_near_kernel(double x)
{
    return sin_of(reduce_near(x), 0);
}

EVALUATOR_INLINE double cos_near_kernel(double x)
{
    return sin_of(reduce_near(x), 1);
}

EVALUATOR_INLINE double tan_near_kernel(double x)
{
    return tan_of(reduce_near(x));
}

EVALUATOR_INLINE double sin_any_kernel(double x)
{
    return sin_of(reduce_any(x), 0);
}

EVALUATOR_INLINE double cos_any_kernel(double x)
{
    return sin_of(reduce_any(x), 1);
}

EVALUATOR_INLINE double tan_any_kernel(double x)
{
    return tan_of(reduce_any(x));
}

/* sinpi(n) is a zero of the sign of n. */
EVALUATOR_INLINE double sinpi_kernel(double x)
{
    struct angle const v = reduce_pi(x);
    double const y = sin_of(v, 0);
    return magnitude_of(y) <= 0 ? with_sign(0, x) : y;
}

/* cospi(n + 1/2) is +0. */
EVALUATOR_INLINE double cospi_kernel(double x)
{
    return sin_of(reduce_pi(x), 1) + 0.0;
}

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

EVALUATOR_INLINE double atanpi_kernel(double x)
{
    return atan_kernel(x) * ONE_PI;
}

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

EVALUATOR_INLINE double asinpi_kernel(double x)
{
    return asin_kernel(x) * ONE_PI;
}

EVALUATOR_INLINE double acospi_kernel(double x)
{
    return acos_kernel(x) * ONE_PI;
}

EVALUATOR_LOOPS(sin_near_kernel)
EVALUATOR_LOOPS(cos_near_kernel)
EVALUATOR_LOOPS(tan_near_kernel)
EVALUATOR_LOOPS(sin_any_kernel)
EVALUATOR_LOOPS(cos_any_kernel)
EVALUATOR_LOOPS(tan_any_kernel)
EVALUATOR_LOOPS(sinpi_kernel)
EVALUATOR_LOOPS(cospi_kernel)
EVALUATOR_LOOPS(tanpi_kernel)
EVALUATOR_LOOPS(atan_kernel)
EVALUATOR_LOOPS(atanpi_kernel)
EVALUATOR_LOOPS(asin_kernel)
EVALUATOR_LOOPS(acos_kernel)
EVALUATOR_LOOPS(asinpi_kernel)
EVALUATOR_LOOPS(acospi_kernel)
