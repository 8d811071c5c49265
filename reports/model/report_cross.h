/* reports/model/report_cross.h -- what no clause forbids: divergences by clause, and values that differ between
 * targets. */
#pragma once

#include "reports/model/report_view.h"

/* TABLE_CLAUSES and TABLE_CROSS. 0 when the arena is full. */
int report_cross_make(struct report_view *v, struct arena *a);
