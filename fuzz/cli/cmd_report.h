/* fuzz/cli/cmd_report.h -- the command `halfulp report`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_report_help;
enum cli_status cmd_report(int argc, char **argv);
/* The reports of a campaign, in its folder, one file per format. */
MUST_USE enum res report_files(const char *folder, struct arena *a, struct err *e);
