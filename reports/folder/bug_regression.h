/* reports/folder/bug_regression.h -- what triage found out of a bug. */
#pragma once

#include "reports/bug/bug.h"

/* Put what would explain the bug, what goes wrong first, what makes the case pass and how small it is. The bug has a
 * triage. */
void bug_put_reduction(const struct bug *b, struct arena *a, FILE *f);
/* Put what the case does on each target that was at hand, and with switches of its driver. */
void bug_put_regression(const struct bug *b, struct arena *a, FILE *f);
