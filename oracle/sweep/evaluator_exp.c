/* oracle/sweep/evaluator_exp.c -- exponential functions and hyperbolic ones in double. */
#include "oracle/sweep/evaluator_exp.h"

/* Beyond these the result is far beyond f32, and still a normal double. */
#define EXP_LIMIT   690.0
#define EXP2_LIMIT  990.0
#define EXP10_LIMIT 298.0

EVALUATOR_INLINE double clamped(double x, double limit)
{
    double const below = x > limit ? limit : x;
    return below < -limit ? -limit : below;
}

EVALUATOR_INLINE double exp_kernel(double x)
{
    return exp_of(exp_reduced(clamped(x, EXP_LIMIT)));
}

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

EVALUATOR_INLINE double expm1_kernel(double x)
{
    return expm1_of(exp_reduced(clamped(x, EXP_LIMIT)));
}

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

EVALUATOR_LOOPS(exp_kernel)
EVALUATOR_LOOPS(exp2_kernel)
EVALUATOR_LOOPS(exp10_kernel)
EVALUATOR_LOOPS(expm1_kernel)
EVALUATOR_LOOPS(cosh_kernel)
EVALUATOR_LOOPS(sinh_kernel)
EVALUATOR_LOOPS(tanh_kernel)
