/* oracle/fault/faults_func.h -- planted faults of single functions. */
#pragma once

#include "oracle/fault/faults_site.h"

/* May the fault be about this function? What it gives; 0: it does not arise. */
bool fault_is_about(enum fault_id id, enum func_id func);
bool fault_change_function(enum fault_id id, const struct fault_math_site *s, uint64_t *out);
