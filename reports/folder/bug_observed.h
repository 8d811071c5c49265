/* reports/folder/bug_observed.h -- what came out beside what ought to have come out. */
#pragma once

#include "reports/bug/bug.h"

/* Put the section "Expected and observed": only what is the fault, the instruction, and what the driver said. */
void bug_put_observed(const struct bug *b, struct arena *a, FILE *f);
