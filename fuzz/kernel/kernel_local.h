/* fuzz/kernel/kernel_local.h -- arguments of a kernel that are memory of the work-group. */
#pragma once

#include "base/testcase.h"

/*
 * Makes each argument of the entry point's function that is memory of the work-group, which a host sizes and no case gives, a
 * variable of the module of up to 1024 elements, and the function one without that argument. *has_changed: there was one.
 * A kernel that is called is kept as it is.
 */
MUST_USE enum res kernel_local(const char *path, const uint32_t *words, uint32_t n_words,
                               const char *entry, struct arena *a, const uint32_t **out,
                               uint32_t *n_out, bool *has_changed, struct err *e);
