/* reports/model/report_findings.h -- the findings of a report: in order, by bucket, with their facts. */
#pragma once

#include "reports/model/report_view.h"

/* v->findings and n_buckets. 0 when the arena is full. */
int report_findings_make(struct report_view *v, struct arena *a);
