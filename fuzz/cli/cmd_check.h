/* fuzz/cli/cmd_check.h -- the command `halfulp check`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_check_help;
enum cli_status cmd_check(int argc, char **argv);
