/* reports/bug/bug_order.h -- operations on one location that no order explains, without the oracle that found them. */
#pragma once

#include "reports/bug/bug.h"

/* Two facts of a run that contradict each other, as two sentences: a value that more operations found in the
 * location than were left there, or that was left and that nobody found. "" where the contradiction needs more than
 * counting, or the positions of what was found lie outside of the outputs. *value, unless NULL, is the value. */
const char *bug_describe_order(const struct expect_order *o, const struct testcase *tc,
                               const struct observation *ob, struct arena *a, uint64_t *value);
/* What the i-th operation left, where it found that. */
uint64_t bug_get_left(const struct expect_order *o, uint32_t i, uint64_t found);
/* The table of the operations for expected.h. */
void bug_put_order(const struct expect_order *o, FILE *f);
/* What the location holds in the end, where the order of the operations does not matter; false: it may matter. */
bool bug_find_final(const struct expect_order *o, uint64_t *final);
