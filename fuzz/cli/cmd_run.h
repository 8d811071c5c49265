/* fuzz/cli/cmd_run.h -- the command `halfulp run`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_run_help;
struct cmd_result cmd_run(int argc, char **argv);
