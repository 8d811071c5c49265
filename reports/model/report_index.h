/* reports/model/report_index.h -- the tables of findings: a line per bucket, a line per signature. */
#pragma once

#include "reports/model/report_view.h"

/* TABLE_BUGS and TABLE_INDEX. 0 when the arena is full. */
int report_index_make(struct report_view *v, struct arena *a);
