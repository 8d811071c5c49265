/* oracle/fault/faults_access.h -- describes one dynamic atomic for the faults of atomics: its operands, and its
 * memory location's neighbours. */
#pragma once

#include "oracle/fault/faults_atomic.h"
#include "oracle/interp/exec.h"
#include "oracle/math/rules.h"

/* Completes the site of an atomic at p, of which the caller has set type and values, with what the instruction and the
 * invocation say; product only where it is known. What was done to the location before, and whether the
 * element after it is free, is left to the caller. */
void fault_describe_access(const struct exec *x, const struct ruleset *rs,
                           const struct invocation *inv, const struct mod_inst *in,
                           struct location p, struct fault_site *site);
