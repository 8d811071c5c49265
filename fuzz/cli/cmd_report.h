/* fuzz/cli/cmd_report.h -- the reports of a campaign. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/* What is told of each bug besides what the journal has: its title, and in how many cases it was seen. */
MUST_USE enum res cmd_report_describe(struct journal *j, struct campaign *c, struct arena *a,
                                      struct err *e);
/* In its folder, one file per format. */
MUST_USE enum res cmd_report_write_files(const struct campaign *c, struct arena *a, struct err *e);
