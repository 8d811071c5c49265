/* oracle/sweep/evaluator_two.h -- evaluates functions of two f32 (or f16) arguments in double, many at a time. A
 * proof above each kernel of evaluator_two.c takes the place of the certificate; prove_two compares with MPFR. */
#pragma once

#include "oracle/sweep/evaluator.h"

enum {
    EVALUATOR_TWO_MAX = 512 /* results of one call */
};
/* The largest relative error with room to spare, or -1: no evaluator, or one that is composed of
 * others without a certificate on that instruction set. */
double evaluator_two_get_slack(enum func_id func, enum evaluator_isa isa);
/* Is every result the exact value, and a number of the format? */
int evaluator_two_is_exact(enum func_id func);
/* Of a sum or product that is a double: is `value` the exact one? */
int evaluator_two_is_whole(enum func_id func, double x, double y, double value);
/* left[i] = 1 for arguments of which the results below say nothing, else 0: zeros, infinities, NaN where
 * it is not sure to give NaN, and those whose result the environment leaves undefined. Is there any? */
int evaluator_two_find_left(enum func_id func, enum env env, enum evaluator_isa isa,
                            const double *x, const double *y, uint64_t *left, uint32_t n);
/* n <= EVALUATOR_TWO_MAX results. Where the function is NaN, NaN; an exact zero only where the function
 * is one, then of its sign; beyond the format's range anything beyond 2^140 or below 2^-160; else within
 * the slack. */
void evaluator_two_run(enum func_id func, enum evaluator_isa isa, enum fmt_id fmt, const double *x,
                       const double *y, double *out, uint32_t n);
