/* fuzz/cli/cmd_devices.h -- the command `halfulp devices`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_devices_help;
enum cli_status cmd_devices(int argc, char **argv);
