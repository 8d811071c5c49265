/* fuzz/kernel/kernel_clean.h -- a compiler's module as a driver and the interpreter take it: without what says nothing of its
 * results. */
#pragma once

#include "base/testcase.h"

/*
 * Removes names, sources and lines, debug information, promises to the compiler, non-semantic sets with their instructions, and Linkage of functions
 * that have a body; gives each binding of Vulkan a number of its own, from 0 on in the order of set and binding.
 *   RES_FORMAT: an instruction is cut short; RES_USAGE: a function without a body is called, and which
 */
MUST_USE enum res kernel_clean(const char *path, enum env env, const uint32_t *words,
                               uint32_t n_words, struct arena *a, const uint32_t **out,
                               uint32_t *n_out, struct err *e);
