/* fuzz/reduce/shrink.h -- smaller modules: one edit at a time, each a candidate that still has to be tried. */
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

struct shrink_pass {
    const char *name; /* for progress: "drop stores" */
    shrink_make *make;
};
/* Passes in the order in which they pay: fewer invocations make all that follows cheaper; then the
 * module, the rest of the dispatch, and the inputs. */
enum {
    SHRINK_PASS_N = 0
#define SHRINK(...) +1
#include "fuzz/reduce/shrink.def"
};
extern const struct shrink_pass shrink_passes[SHRINK_PASS_N];

/* Instructions in the bodies of functions, without OpFunction, OpFunctionEnd, parameters, labels,
 * OpReturn and the entry block's variables: what is left beyond the frame of an empty kernel. 0 for a
 * module that is not SPIR-V. Lines, names, types, constants and decorations do not count. */
uint32_t shrink_count(const struct testcase *tc);

/* The module without what nothing uses: instructions without effect whose result is unused, blocks
 * that cannot be reached (with the OpPhi operands that name them), functions that are not called,
 * types, constants, variables, decorations, names, capabilities and extensions that nothing needs,
 * buffers stay. NULL when the arena is full or the module is not understood. */
const uint32_t *shrink_sweep(const uint32_t *words, uint32_t n_words, struct arena *a,
                             uint32_t *n_out);
