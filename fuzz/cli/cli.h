/* fuzz/cli/cli.h -- what all commands share: options as tables, values, exit statuses, messages. */
#pragma once

#include <stdio.h>

#include "base/testcase.h"
#include "gen/plan/gen.h"
#include "oracle/judge/judge.h"

enum cli_status {
    STATUS_OK,
    STATUS_FINDINGS,
    STATUS_USAGE,
    STATUS_HARNESS
};

enum {
    CLI_MAX_PATH = 1024
};
/* What main does afterwards: write the reports of a campaign. */
struct cmd_result {
    enum cli_status status;
    char folder[CLI_MAX_PATH]; /* of the campaign, "" for none */
    int is_json;
};

struct cli_option {
    const char *name;  /* "cases" is --cases */
    const char *value; /* name of its value, NULL for a flag */
    const char *help;
    char letter; /* 0 for none */
};

/* The row of commands that start workers; cli_next takes it. */
#define CLI_SANDBOX_NAME "sandbox"
#define CLI_SANDBOX                                                                                \
    {                                                                                              \
        CLI_SANDBOX_NAME, "WORD", "workers in a sandbox: yes or no (default: where it works)", 0   \
    }

/* The row of commands that look for targets. */
#define CLI_TARGETS_FILE                                                                           \
    {                                                                                              \
        "targets-file", "FILE", "your targets (default: targets.ini beside the program)", 0        \
    }

struct cli_command {
    const char *name, *words, *summary; /* "run", "[OPTION]...", one sentence */
    const char *text;                   /* further help, "" for none */
    const struct cli_option *options;   /* ends with a row of name NULL; --help is added */
};

/* A command line that is being read. */
struct cli {
    const struct cli_command *command;
    int argc;
    char **argv;
    const char *value; /* of the option just read */
    int first_word;    /* index in argv of the first word that is no option, after CLI_END */
};
enum {
    CLI_END = -1,
    CLI_BAD = -2,
    CLI_HELP = -3
};
/* Number of the next option's row; CLI_END; CLI_BAD after a message; CLI_HELP after the help was
 * printed. The first call needs argv[0] to be the command's name. */
int cli_next(struct cli *c);
void cli_print_help(const struct cli_command *c, FILE *f);

/* One line on standard error: "halfulp run: ...", and the status that goes with it. */
enum cli_status cli_fail(const struct cli_command *c, const struct err *e);
/* The same for what went wrong with a file that the user named: always STATUS_USAGE but for memory. */
enum cli_status cli_fail_input(const struct cli_command *c, const struct err *e);
enum cli_status cli_complain(const struct cli_command *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Values; 0 after a message that names the option and what would be right. */
int cli_number(const struct cli *c, int option, uint64_t min, uint64_t max, uint64_t *out);
int cli_duration(const struct cli *c, int option, uint64_t *out_ns); /* 90, 90s, 10m, 8h */
int cli_size(const struct cli *c, int option, uint64_t *out_bytes);  /* 500000, 500K, 2M, 2G */
int cli_env(const struct cli *c, int option, enum env *out);
int cli_profile(const struct cli *c, int option, enum profile *out);
