/* reports/bug/bug_order.h -- operations on one location that no order explains, without the oracle that found them. */
#pragma once

#include "reports/bug/bug.h"

/* Two facts of a run that contradict each other, as two sentences: a value that more operations found in the
 * location than were left there, or that was left and that nobody found. "" where the contradiction needs more than
 * counting, or the places of what was found lie outside of the outputs. */
const char *bug_describe_order(const struct expect_order *o, const struct testcase *tc,
                               const struct observation *ob, struct arena *a);
/* The table of the operations for expected.h. */
void bug_put_order(const struct expect_order *o, FILE *f);
