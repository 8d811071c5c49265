/* fuzz/cli/cmd_gen.h -- the command `halfulp gen`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_gen_help;
enum cli_status cmd_gen(int argc, char **argv);
