/* fuzz/kernel/kernel_prune.h -- a module with one of its kernels. */
#pragma once

#include "base/spv.h"

/* Removes the functions that the entry point's function does not reach by calls, and the other entry points. A module that has
 * no others stays as it is. RES_NOMEM. */
MUST_USE enum res kernel_prune(const uint32_t *words, uint32_t n_words, uint32_t function,
                               struct arena *a, const uint32_t **out, uint32_t *n_out,
                               struct err *e);
