/* reports/model/report_baseline.h -- how a campaign stands to an earlier one and to what is expected. */
#pragma once

#include "reports/model/report_view.h"

/* v->change, gone and rows, once there are findings. 0 when the arena is full. */
int report_baseline_make(struct report_view *v, struct arena *a);
