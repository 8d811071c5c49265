/* fuzz/kernel/kernel_order.h -- puts the blocks of each function into an order that SPIR-V permits. */
#pragma once

#include "base/spv.h"

/*
 * SPIR-V 2.16.1: a block comes behind those that dominate it; translators from LLVM keep LLVM's order, which is any. The
 * blocks are put in reverse postorder of the flow; those that nothing reaches come last, in their order.
 * RES_NOMEM, RES_FORMAT: a function is no row of blocks.
 */
MUST_USE enum res kernel_order(uint32_t *words, uint32_t n_words, struct arena *a, struct err *e);
