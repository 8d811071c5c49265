/* fuzz/reduce/shrink_pass.h -- a pass of the reducer: what each has to keep to. */
#pragma once

#include "base/testcase.h"

/*
 * A pass makes candidates of a case, numbered from 0. Candidate `step` of the same case is always the
 * same; a pass works from coarse to fine (first all of something, then halves, then single ones).
 * A candidate is well-formed as far as the pass can tell (ids defined before use, structured control
 * flow kept, nothing unused left behind: shrink_sweep); whether it is valid SPIR-V and still shows
 * what it must is for the caller to find (spirv_validate, a trial).
 *
 * Make candidate `step` of `tc` in `a`. 1: *out is it. 0: there is no such candidate at this step but
 * perhaps at later ones. -1: no later step has one. Never fails on any module: one that it does not
 * understand has no candidates. A full arena is -1.
 */
typedef int shrink_make(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out);
