/* gen/mutate/mutate_trim.h -- computes smaller tapes, candidate by candidate from coarse to fine: without what is
 * not read, without a subtree, with a zero. There are as many as nodes and decisions. */
#pragma once

#include "gen/mutate/parent.h"

/*
 * Candidate `step` of smaller tapes, coarse to fine: first without what is not read, then without one
 * subtree, then with one decision set to the smallest. 1: *out is it, in `a`; 0: there is no such
 * step; -1: the arena is full.
 */
int mutate_trim(const struct parent *p, uint32_t step, struct arena *a, struct tape *out);
