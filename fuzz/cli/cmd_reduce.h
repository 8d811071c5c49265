/* fuzz/cli/cmd_reduce.h -- the command `halfulp reduce`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_reduce_help;
enum cli_status cmd_reduce(int argc, char **argv);
