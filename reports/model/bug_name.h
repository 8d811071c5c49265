/* reports/model/bug_name.h -- what the folder of a bug is called. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/* "intel-cpu-ulp-fadd_cr-atomicfaddext-f32-global-17": what the folder of the bucket that `f` names is
 * called, letters, digits and "-_." alone. "" when the arena is full. */
const char *bug_name(const char *target, const struct campaign_finding *f, struct arena *a);
