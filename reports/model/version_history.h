/* reports/model/version_history.h -- since which version of its driver a bug is there, by the matrix of targets. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/* The oldest version from which on all that were tried are good, where an older one is bad: "25.0.7"; else "". */
const char *version_fixed_in(const struct campaign_triage *t, const char *target, struct arena *a);
/*
 * "Last good 22.3.6, first bad 25.0.7; bad up to 26.2.6.", a sentence on the versions of the driver of `target` that the
 * case ran on; "" where there was only one. A second sentence names the targets of the driver on which the case could not be
 * run. Targets are of one driver if their names differ only in parts that begin with a digit: lavapipe, lavapipe-25;
 * radv-navi31, radv-25-navi31. A version is good where the case was judged and did not show the bug.
 */
const char *version_history(const struct campaign_triage *t, const char *target, struct arena *a);
/* "turnip-a740, nvk-ada": the targets of other drivers that show the bug and are of the version of `target`, so that they
 * come from one source tree and may share the wrong code; "": none. */
const char *version_siblings(const struct campaign_triage *t, const char *target, struct arena *a);
