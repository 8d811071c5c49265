/* oracle/sweep/evaluator_gamma.c -- error and gamma functions: the C library's own, in double. Another
 * library, or another variant of it, gives another fingerprint and so has no certificate. */
#include <math.h>

#include "oracle/sweep/evaluator_parts.h"

/* Results that double cannot hold are small and have a sign, not zero. */
#define SMALL 0x1p-990

EVALUATOR_INLINE double not_vanished(double y)
{
    return magnitude_of(y) < SMALL ? with_sign(SMALL, y) : y;
}

EVALUATOR_INLINE double erf_kernel(double x)
{
    return erf(x);
}

EVALUATOR_INLINE double erfc_kernel(double x)
{
    return not_vanished(erfc(x));
}

EVALUATOR_INLINE double lgamma_kernel(double x)
{
    return lgamma(x);
}

EVALUATOR_INLINE double tgamma_kernel(double x)
{
    return not_vanished(tgamma(x));
}

EVALUATOR_LOOPS(erf_kernel)
EVALUATOR_LOOPS(erfc_kernel)
EVALUATOR_LOOPS(lgamma_kernel)
EVALUATOR_LOOPS(tgamma_kernel)
