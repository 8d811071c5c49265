/* fuzz/cli/cli.h -- what all commands share: options as tables, values, exit statuses, messages. */
#pragma once

#include <stdio.h>

#include "base/file.h"
#include "base/testcase.h"
#include "gen/case/gen.h"
#include "oracle/judge/judge.h"

enum cli_status {
    STATUS_OK,
    STATUS_FINDINGS,
    STATUS_USAGE,
    STATUS_HARNESS,
    STATUS_INCOMPLETE, /* of an audit: nothing was found, but not all was tried; of a case that was checked or
                        * judged: nothing was found, but not all was decided; of a shard of a campaign: a signal
                        * stopped it, whatever was found */
    STATUS_SKIP = 125 /* of `git bisect run`: this commit can be neither called good nor bad */
};

struct cli;

enum cli_type {
    CLI_FLAG,     /* int: 1 */
    CLI_SET,      /* int or enum: `min` */
    CLI_TEXT,     /* const char *: of argv */
    CLI_U32,      /* uint32_t or unsigned, min to max */
    CLI_U64,      /* uint64_t, min to max */
    CLI_TIME,     /* uint64_t in ns: 90s, 10m, 1h30m, 2d */
    CLI_SIZE,     /* uint64_t in bytes: 500000, 500K, 2M, 2G */
    CLI_ENV,      /* enum env */
    CLI_LANGUAGE, /* enum language */
    CLI_PROFILE,  /* enum profile */
    CLI_DEVICE,   /* const struct sample_device *, of gen/case/sample_devices.h */
    CLI_SHARD,    /* struct shard: 2/4 */
    CLI_OWN       /* what `take` makes of it */
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
    CLI_ROW("sandbox", "WORD",                                                                     \
            "run drivers in a sandbox: yes or no (default: yes if bubblewrap works and no device " \
            "node is needed)",                                                                     \
            .type = CLI_OWN, .take = cli_take_sandbox)
bool cli_take_sandbox(const struct cli *c, void *options);

/* The row of commands that say how far they are. */
#define CLI_QUIET(field)                                                                           \
    CLI_ROW("quiet", NULL, "do not print progress on standard error", CLI_PUT(CLI_FLAG, field),    \
            .letter = 'q')

/* The row of commands that look for targets. */
#define CLI_TARGETS_FILE(field)                                                                    \
    CLI_ROW("targets-file", "FILE",                                                                \
            "file that defines your own targets (default: targets.ini beside the program)",        \
            CLI_PUT(CLI_TEXT, field))

struct cli_command {
    const char *name, *usage, *summary; /* "run", "[OPTION]...", one sentence */
    const char *text;                   /* additional help, "" for none */
    const struct cli_option *options;   /* ends with a row of name NULL; --help is added */
};

/* An option as it was given. */
struct cli_given {
    const struct cli_option *option;
    const char *value; /* NULL for none */
};
enum {
    CLI_MAX_GIVEN = 64 /* what is beyond is in no command that is printed */
};

/* A command line that is being read. */
struct cli {
    const struct cli_command *command;
    int argc;
    char **argv;
    const struct cli_option *option; /* the one just read, */
    const char *value;               /* and its value */
    enum cli_status status;          /* where cli_read gives false */
    struct file_made made; /* the folder that is gone after STATUS_USAGE and STATUS_HARNESS */
    uint32_t n_given;      /* options so far */
    struct cli_given given[CLI_MAX_GIVEN];
    int n_words; /* after it: what is no option */
    char **words;
};
/* No word may be left; one at most, a folder that no option has named. false: nothing is to be done, after a
 * message, and `status` says how that ends. */
bool cli_refuse_words(struct cli *c);
bool cli_take_folder(struct cli *c, const char **folder);

/* Remove the folder of c->made, unless another process has it by now. */
void cli_drop_made(struct cli *c);

/* A command: its help, the options that it begins with (its `struct options`), and what it does with those
 * that were read, in an arena of that size. */
struct cli_entry {
    const struct cli_command *help;
    const void *defaults;
    size_t options_bytes, arena_bytes;
    enum cli_status (*run)(struct cli *c, void *options, struct arena *a);
};
enum cli_status cli_run(const struct cli_entry *entry, int argc, char **argv);

/* The command line again, as words of sh, for who wants to go on with what it began. */
const char *cli_say_again(const struct cli *c, struct arena *a);
/* An option of this command, and what it is called by the next one (NULL: the same). */
struct cli_kept {
    const char *name, *as;
};
/* Those options of the command line that a command to be run next takes too, as " --suppress k.tsv"; "" for none. The list ends
 * with a row of name NULL. */
const char *cli_say_kept(const struct cli *c, const struct cli_kept *list, struct arena *a);
/* The same as cli_say_again with another value of the option --name, which is given as a word of its own or after "--name=". */
const char *cli_say_with(const struct cli *c, const char *name, const char *value, struct arena *a);

/* One line on standard error: "halfulp run: ...", and the status that goes with it. */
enum cli_status cli_fail(const struct cli_command *c, const struct err *e);
/* The same for what went wrong with a file that the user named: always STATUS_USAGE but for memory. */
enum cli_status cli_fail_input(const struct cli_command *c, const struct err *e);
enum cli_status cli_complain(const struct cli_command *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* One line as cli_complain: the value of the option just read names nothing; what there is, all of it. */
enum cli_status cli_complain_names(const struct cli_command *c, const char *option,
                                   const char *value, const char *const *names, size_t n_names);
