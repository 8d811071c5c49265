/* fuzz/cli/commands.h -- every command, each from the file of its name. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_entry cmd_audit, cmd_cases, cmd_check, cmd_corpus, cmd_devices, cmd_fuzz,
    cmd_gen, cmd_judge, cmd_merge, cmd_reduce, cmd_refusals, cmd_report, cmd_run, cmd_selftest,
    cmd_try;
