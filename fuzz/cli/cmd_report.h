/* fuzz/cli/cmd_report.h -- the reports of a campaign. */
#pragma once

#include "base/base.h"

/* In its folder, one file per format. */
MUST_USE enum res report_files(const char *folder, struct arena *a, struct err *e);
