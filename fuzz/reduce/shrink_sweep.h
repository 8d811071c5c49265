/* fuzz/reduce/shrink_sweep.h -- a module without what nothing uses, and how many instructions are left. */
#pragma once

#include "fuzz/reduce/shrink_module.h"

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
/* The candidate of tc that has m, swept. 1, 0 when that is what tc has or when it cannot be, -1. */
int shrink_finish(struct shrink_module *m, const struct testcase *tc, struct testcase *out);
