/* oracle/sweep/sweep_double.h -- judges f64 results of arithmetic, roots and exact functions, whose value is
 * computed as an unevaluated sum of two doubles; MPFR decides what that leaves open. */
#pragma once

#include "oracle/sweep/sweep_state.h"

/* A block, what doubles can decide by them and the rest by MPFR; has: can they at all? */
void sweep_block_double(struct sweep *s, const struct sweep_block *block);
int sweep_double_has(enum func_id func);
