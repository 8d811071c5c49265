/* reports/model/version_history.h -- since which version of its driver a bug is there, by the matrix of targets. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/* The oldest version from which on all that were tried are good, where an older one is bad: "25.0.7"; else "". */
const char *version_fixed_in(const struct campaign_triage *t, const char *target, struct arena *a);
/*
 * "Last good 22.3.6, first bad 25.0.7; bad up to 26.2.6.", a sentence on the versions of the driver of `target` that the
 * case ran on; "" where that was one alone. Behind it
 * "Not tried: lavapipe-25.", the targets of the driver on which the case could not be run. Targets are of one driver if their names are alike but for parts that begin
 * with a digit: lavapipe, lavapipe-25; radv-navi31, radv-25-navi31. A version is good where the case was judged and did not show the bug.
 */
const char *version_history(const struct campaign_triage *t, const char *target, struct arena *a);
