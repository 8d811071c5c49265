/* fuzz/reduce/reduce_tape.h -- smaller tapes. */
#pragma once

#include "gen/tape/tape.h"

/* Candidate `step` of a tape, coarse to fine: without whole subtrees, then with
 * decisions set to the smallest. 1: *out is it, in `a`; -1: there is no such step. */
int reduce_tape_make(const struct tape *t, uint32_t step, struct arena *a, struct tape *out);
