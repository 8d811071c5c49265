/* oracle/sweep/evaluator_one.h -- evaluators of functions of one argument in double: polynomial kernels after
 * range reduction, in one loop per function and instruction set. */
#pragma once

#include "oracle/sweep/evaluator.h"

typedef void evaluator_loop(const double *restrict x, double *restrict out, uint32_t n);
struct evaluator_loops {
    evaluator_loop *loop[EVALUATOR_ISA_N];
};

/* Larger arguments are reduced by bits of 2/pi, those below by multiples of pi/2 in three parts: the long
 * way gives the same for them. */
#define EVALUATOR_NEAR_LIMIT 0x1p20

struct evaluator_one {
    const struct evaluator_loops *loops; /* NULL: there is none */
    const struct evaluator_loops *near;  /* for arguments below the limit alone; NULL: the same */
    int is_exact;                        /* is every float result exact? */
};
extern const struct evaluator_one evaluator_ones[FUNC_N];
