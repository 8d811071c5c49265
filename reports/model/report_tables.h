/* reports/model/report_tables.h -- the tables of a report, worked out from the campaign. */
#pragma once

#include "reports/model/report_view.h"

/* v->tables, groups and clauses, once there are findings. 0 when the arena is full. */
int report_tables_make(struct report_view *v, struct arena *a);
