/* oracle/sweep/sweep_judge.h -- judges single results by MPFR: the exact value is enclosed, and the error in ulps
 * and the permitted set follow. */
#pragma once

#include "oracle/sweep/sweep_state.h"

/* Result i of a form, judged and booked; the order of neighbours apart. */
void sweep_judge_one(struct sweep *s, uint32_t form, const struct sweep_block *block, uint32_t i);
/* The same with every question asked anew, for tests. */
void sweep_judge_slowly(struct sweep *s, uint32_t form, const struct sweep_block *block,
                        uint32_t i);
/* Result i of every form, by one evaluation. */
void sweep_judge_input(struct sweep *s, const struct sweep_block *block, uint32_t i);
/* Judge those of n results from `first` on whose code is SWEEP_UNDECIDED. */
void sweep_judge_undecided(struct sweep *s, uint32_t form, const struct sweep_block *block,
                           uint32_t first, uint32_t n, const int64_t *code);
