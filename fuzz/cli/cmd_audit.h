/* fuzz/cli/cmd_audit.h -- the command `halfulp audit`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_audit_help;
enum cli_status cmd_audit(int argc, char **argv);
