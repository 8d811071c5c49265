/* fuzz/cli/cmd_judge.h -- the command `halfulp judge`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_judge_help;
enum cli_status cmd_judge(int argc, char **argv);
