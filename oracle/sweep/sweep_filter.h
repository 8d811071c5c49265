/* oracle/sweep/sweep_filter.h -- judges a block of results piece by piece with evaluators in double; MPFR judges
 * those that stay undecided. */
#pragma once

#include "oracle/sweep/evaluator.h"
#include "oracle/sweep/sweep_state.h"

/* A block by the filter on that instruction set, what it leaves in doubt by MPFR. */
void sweep_filter(struct sweep *s, const struct sweep_block *block, enum evaluator_isa isa,
                  double slack);
/* A block of block->n results of f32 whose inputs are base, base + 1, ... (block->x is not looked at), where function
 * and results are flat and nothing is wrong: by its ends. 0: it is not, and nothing was booked. */
int sweep_filter_flat(struct sweep *s, const struct sweep_block *block, uint32_t base,
                      enum evaluator_isa isa, double slack);
