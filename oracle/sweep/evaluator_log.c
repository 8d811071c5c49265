/* oracle/sweep/evaluator_log.c -- logarithms, inverse hyperbolic functions and the cube root in double. */
#include "oracle/sweep/evaluator_parts.h"

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
    return holds ? x : double_of(0x7ff8000000000000);
}

/* k times the upper part of ln 2, 34 bits, is exact. */
EVALUATOR_INLINE double log_of(struct log_value v)
{
    return v.k * 0x1.62e42fef80000p-1 + (v.k * 0x1.1cf79abc9e3b4p-36 + log_near_1(v.f));
}

EVALUATOR_INLINE double log_kernel(double x)
{
    return nan_unless(x > 0, log_of(log_split(x)));
}

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

EVALUATOR_LOOPS(log_kernel)
EVALUATOR_LOOPS(log2_kernel)
EVALUATOR_LOOPS(log10_kernel)
EVALUATOR_LOOPS(log1p_kernel)
EVALUATOR_LOOPS(asinh_kernel)
EVALUATOR_LOOPS(acosh_kernel)
EVALUATOR_LOOPS(atanh_kernel)
EVALUATOR_LOOPS(cbrt_kernel)
