/* fuzz/kernel/kernel_ids.h -- a case whose shader also stores which sub-group each invocation is in: no specification says it, and without
 * it the oracle cannot follow what depends on it. */
#pragma once

#include "base/testcase.h"

/*
 * Adds a buffer behind all others, of four words for each invocation: SubgroupId, SubgroupLocalInvocationId, SubgroupSize, NumSubgroups, which
 * the entry point stores first. Nothing is added to a kernel of OpenCL, to a shader without the capability GroupNonUniform, and
 * where no buffer is left. Ids keep their numbers.
 *   RES_LIMIT, RES_NOMEM: it cannot be made
 */
MUST_USE enum res kernel_ids_add(struct testcase *tc, struct arena *a, struct err *e);
