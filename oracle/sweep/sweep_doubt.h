/* oracle/sweep/sweep_doubt.h -- what the filter leaves in doubt, by MPFR. */
#pragma once

#include "oracle/sweep/sweep_state.h"

/* Judge those of n results from `first` on whose code is SWEEP_DOUBT. */
void sweep_judge_doubts(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t first,
                        uint32_t n, const int64_t *code);
