/* fuzz/cli/cmd_selftest.h -- the command `halfulp selftest`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_selftest_help;
enum cli_status cmd_selftest(int argc, char **argv);
