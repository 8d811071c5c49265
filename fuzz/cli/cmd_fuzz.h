/* fuzz/cli/cmd_fuzz.h -- the command `halfulp fuzz`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_fuzz_help;
struct cmd_result cmd_fuzz(int argc, char **argv);
