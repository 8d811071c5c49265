/* reports/model/report_coverage.h -- the tables of what was covered, and what those of groups share. */
#pragma once

#include "reports/model/report_view.h"
#include "reports/model/support.h"

/* Counts of one cell of a coverage table. */
struct coverage_cell {
    uint64_t n_run, n_sharp, n_rejected, n_not_supported, n_unadvertised, n_refused, n_built;
};
void report_coverage_add(struct coverage_cell *cell, const struct campaign_coverage *row);
/* What stands in the table; where nothing was counted, what the target lists of it. with_share: also
 * the share judged sharply. */
struct report_cell report_coverage_show(const struct coverage_cell *cell, enum support support,
                                        int with_share, struct arena *a);

/* TABLE_COVERAGE and TABLE_SHARPNESS. 0 when the arena is full. */
int report_coverage_make(struct report_view *v, struct arena *a);
