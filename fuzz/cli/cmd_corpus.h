/* fuzz/cli/cmd_corpus.h -- the command `halfulp corpus`. */
#pragma once

#include "fuzz/cli/cli.h"

extern const struct cli_command cmd_corpus_help;
enum cli_status cmd_corpus(int argc, char **argv);
