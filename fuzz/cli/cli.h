/* fuzz/cli/cli.h -- what all commands share: options as tables, values, exit statuses, messages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

struct cli;

enum cli_type {
    CLI_FLAG,    /* int: 1 */
    CLI_SET,     /* int or enum: `min` */
    CLI_TEXT,    /* const char *: of argv */
    CLI_U32,     /* uint32_t or unsigned, min to max */
    CLI_U64,     /* uint64_t, min to max */
    CLI_TIME,    /* uint64_t in ns: 90, 90s, 10m, 8h, 2d */
    CLI_SIZE,    /* uint64_t in bytes: 500000, 500K, 2M, 2G */
    CLI_ENV,     /* enum env */
    CLI_PROFILE, /* enum profile */
    CLI_OWN      /* what `take` makes of it */
};

/* An option, and what becomes of its value in the command's own `struct options`. */
struct cli_option {
    const char *name;  /* "cases" is --cases */
    const char *value; /* name of its value, NULL for none */
    const char *help;
    enum cli_type type;
    size_t at;       /* where the value goes */
    size_t given_at; /* 1 + where an int tells that the option was there; 0: nowhere */
    uint64_t min, max;
    /* CLI_OWN: c->value into the options; false after a message. */
    bool (*take)(const struct cli *c, void *options);
    char letter; /* 0 for none */
};
/* A row and its parts, in a file whose command has a `struct options`. */
#define CLI_ROW(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define CLI_PUT(kind, field)    .type = (kind), .at = offsetof(struct options, field)
#define CLI_WITHIN(least, most) .min = (least), .max = (most)
#define CLI_GIVEN(field)        .given_at = 1 + offsetof(struct options, field)

/* The row of commands that start workers: for all that this process starts, AFL++'s instances too. */
#define CLI_SANDBOX                                                                                \
    CLI_ROW("sandbox", "WORD", "workers in a sandbox: yes or no (default: where it works)",        \
            .type = CLI_OWN, .take = cli_take_sandbox)
bool cli_take_sandbox(const struct cli *c, void *options);

/* The row of commands that look for targets. */
#define CLI_TARGETS_FILE(field)                                                                    \
    CLI_ROW("targets-file", "FILE", "your targets (default: targets.ini beside the program)",      \
            CLI_PUT(CLI_TEXT, field))

/* The first rows of the commands that run campaigns, into `campaign` of their options. */
#define CLI_CAMPAIGN(seed_help, folder_help)                                                       \
    CLI_ROW("for", "TIME", "run for so long: 60s, 10m, 8h (default: until Ctrl-C)",                \
            CLI_PUT(CLI_TIME, campaign.max_ns), CLI_GIVEN(campaign.has_for)),                      \
        CLI_ROW("cases", "N", "run N cases on each target", CLI_PUT(CLI_U64, campaign.max_cases),  \
                CLI_WITHIN(1, INT64_MAX), CLI_GIVEN(campaign.has_cases)),                          \
        CLI_ROW("targets", "LIST", "names with commas between (default: all that are here)",       \
                CLI_PUT(CLI_TEXT, campaign.targets)),                                              \
        CLI_TARGETS_FILE(campaign.ini),                                                            \
        CLI_ROW("profile", "NAME", "atomics, groups, arith, maxerror or all (default: all)",       \
                CLI_PUT(CLI_PROFILE, campaign.profile), CLI_GIVEN(campaign.has_profile)),          \
        CLI_ROW("seed", "N", seed_help, CLI_PUT(CLI_U64, campaign.seed),                           \
                CLI_WITHIN(0, UINT64_MAX), CLI_GIVEN(campaign.has_seed)),                          \
        CLI_ROW("output", "FOLDER", folder_help, CLI_PUT(CLI_TEXT, campaign.folder),               \
                .letter = 'o'),                                                                    \
        CLI_ROW("resume", NULL, "go on with the campaign in that folder",                          \
                CLI_PUT(CLI_FLAG, campaign.is_resume))

struct cli_command {
    const char *name, *usage, *summary; /* "run", "[OPTION]...", one sentence */
    const char *text;                   /* further help, "" for none */
    const struct cli_option *options;   /* ends with a row of name NULL; --help is added */
};

/* A command line that is being read. */
struct cli {
    const struct cli_command *command;
    int argc;
    char **argv;
    const struct cli_option *option; /* the one just read, */
    const char *value;               /* and its value */
    enum cli_status status;          /* where cli_read gives false */
    int n_words;                     /* after it: what is no option */
    char **words;
};
/* All options by their rows into the command's options. false: nothing is to be done, after a message or
 * the help, and `status` says how that ends. argv[0] is the command's name. */
bool cli_read(struct cli *c, void *options);
/* After cli_read: no word may be left; one at most, a folder that no option has named. false as above. */
bool cli_refuse_words(struct cli *c);
bool cli_take_folder(struct cli *c, const char **folder);
void cli_print_help(const struct cli_command *c, FILE *f);

/* One line on standard error: "halfulp run: ...", and the status that goes with it. */
enum cli_status cli_fail(const struct cli_command *c, const struct err *e);
/* The same for what went wrong with a file that the user named: always STATUS_USAGE but for memory. */
enum cli_status cli_fail_input(const struct cli_command *c, const struct err *e);
enum cli_status cli_complain(const struct cli_command *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
