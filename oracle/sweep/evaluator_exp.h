/* oracle/sweep/evaluator_exp.h -- the exponential kernel: e^x = 2^k (1 + p). */
#pragma once

#include "oracle/sweep/evaluator_parts.h"

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
