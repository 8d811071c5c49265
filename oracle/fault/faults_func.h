/* oracle/fault/faults_func.h -- planted faults of single functions: a table of which functions each can act at and
 * the wrong result that it computes, mostly in double. */
#pragma once

#include "oracle/fault/faults_site.h"

/* Can the fault act at this function? True for a fault of any function, or of instructions that are no function. */
bool fault_is_about(enum fault_id id, enum func_id func);
/* Computes *out, the wrong encoding that the fault gives at site s. false: it does not act there, or is a fault of any
 * function or of other instructions. */
bool fault_change_function(enum fault_id id, const struct fault_math_site *s, uint64_t *out);
