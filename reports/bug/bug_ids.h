/* reports/bug/bug_ids.h -- ids of a work-group that no sub-groups can have, without the oracle that found them. */
#pragma once

#include "reports/bug/bug.h"

/* Two facts of a run that contradict each other, as two sentences; "" where there are none, or the ids lie outside of
 * the outputs. *group is the SubgroupId in question. */
const char *bug_describe_ids(const struct expect_ids *x, const struct testcase *tc,
                             const struct observation *ob, uint32_t *group, struct arena *a);
/* An id of the i-th invocation after the run; 0 where the outputs do not have it. */
uint32_t bug_get_id(const struct expect_ids *x, const struct testcase *tc,
                    const struct observation *ob, uint32_t i, enum expect_id_column column);
/* The table of their positions for expected.h. */
void bug_put_ids(const struct expect_ids *x, FILE *f);
