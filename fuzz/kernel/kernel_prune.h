/* fuzz/kernel/kernel_prune.h -- one kernel of a compiler's module, without what it does not use. */
#pragma once

#include "base/testcase.h"

/* The function of the entry point of that name, or of the only one (entry NULL); 0: there is none, or there are several. */
uint32_t kernel_find_function(const uint32_t *words, uint32_t n_words, const char *entry,
                              struct arena *a);
/*
 * Keeps the entry point `entry` (NULL: the only one), the functions that it reaches, and what these use: other entry points,
 * unused constants, types, variables without a binding, unused pointers, prefetches, and calls of printf whose result nobody
 * uses are removed, variables of a function stand at its begin, and so is the promise of a function that it has no effects. A module of OpenCL that declares
 * Float16Buffer alone and computes with half gets Float16, which its compiler (llvm-spirv 14) forgets.
 * Where no entry point, or more than one, has the name, the module is kept as it is.
 */
MUST_USE enum res kernel_prune(const char *path, enum env env, const uint32_t *words,
                               uint32_t n_words, const char *entry, struct arena *a,
                               const uint32_t **out, uint32_t *n_out, struct err *e);
