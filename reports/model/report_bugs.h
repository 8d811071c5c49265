/* reports/model/report_bugs.h -- the bugs of a report, a line each. */
#pragma once

#include "reports/model/report_view.h"

/* Make v->bugs and v->n_shelf; the findings must be there. 0 when the arena is full. */
int report_bugs_make(struct report_view *v, struct arena *a);
