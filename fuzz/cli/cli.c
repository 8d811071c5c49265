/* fuzz/cli/cli.c -- what all commands share: options as tables, values, exit statuses, messages. */
#include "fuzz/cli/cli.h"

#include "base/printable.h"
#include "fuzz/io/near.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/owner.h"
#include "gen/case/sample_devices.h"
#include "gen/tape/profile.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What next_option gives beside the number of a row. */
enum {
    CLI_END = -1,
    CLI_BAD = -2,
    CLI_HELP = -3
};
enum {
    CLI_MAX_OPTIONS = 32,
    CLI_HELP_COLUMN = 26,
    CLI_NAME_BYTES = 128,
    CLI_FIRST_ROW = 256 /* getopt's code of row 0: above all letters */
};
#define SECOND_NS           UINT64_C(1000000000)
#define OPTIONS_ARENA_BYTES ((size_t)1 << 20)

static size_t count_options(const struct cli_command *c)
{
    size_t n = 0;
    while (c->options[n].name) {
        n++;
    }
    return n;
}

static void print_help(const struct cli_command *c, FILE *f)
{
    (void)fprintf(f, "usage: halfulp %s %s\n%s\n", c->name, c->usage, c->summary);
    (void)fputc('\n', f);
    for (size_t i = 0; i < count_options(c); i++) {
        const struct cli_option *o = &c->options[i];
        char const letter[5] = {'-', o->letter, ',', ' ', '\0'};
        int const n = fprintf(f, "  %s--%s%s%s", o->letter ? letter : "    ", o->name,
                              o->value ? " " : "", o->value ? o->value : "");
        (void)fprintf(f, "%*s%s\n", n < CLI_HELP_COLUMN ? CLI_HELP_COLUMN - n : 2, " ", o->help);
    }
    (void)fprintf(f, "  -h, --help%*s%s\n", CLI_HELP_COLUMN - 12, " ", "this text");
    if (c->text[0]) {
        (void)fprintf(f, "\n%s", c->text);
    }
}

enum cli_status cli_complain(const struct cli_command *c, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    (void)fprintf(stderr, "halfulp %s: ", c->name);
    printable_put(stderr, text, sizeof(text));
    (void)fputc('\n', stderr);
    return STATUS_USAGE;
}

enum cli_status cli_complain_names(const struct cli_command *c, const char *option,
                                   const char *value, const char *const *names, size_t n_names)
{
    const char *const near = near_find(value, names, n_names);
    printable_print(stderr, "halfulp %s: --%s \"%.80s\": unknown name", c->name, option, value);
    if (near) {
        printable_print(stderr, "; did you mean \"%s\"?", near);
    }
    printable_print(stderr, "; accepted names:");
    for (size_t i = 0; i < n_names; i++) {
        printable_print(stderr, " %s", names[i]);
    }
    (void)fputc('\n', stderr);
    return STATUS_USAGE;
}

enum cli_status cli_fail(const struct cli_command *c, const struct err *e)
{
    (void)cli_complain(c, "%s", e->text);
    return e->code == RES_USAGE || e->code == RES_FORMAT ? STATUS_USAGE : STATUS_HARNESS;
}

enum cli_status cli_fail_input(const struct cli_command *c, const struct err *e)
{
    (void)cli_complain(c, "%s", e->text);
    return e->code == RES_NOMEM || e->code == RES_INTERNAL ? STATUS_HARNESS : STATUS_USAGE;
}

/* An option with "--" that the command has not; the nearest that it has, if one is near. */
static void complain_unknown(const struct cli_command *c, const char *name)
{
    const char *names[CLI_MAX_OPTIONS];
    size_t n = 0;
    for (; n < count_options(c) && n < CLI_MAX_OPTIONS; n++) {
        names[n] = c->options[n].name;
    }
    const char *const near = near_find(name, names, n);
    (void)cli_complain(c, "unknown option --%.80s%s%s%s; \"halfulp %s --help\" prints all options",
                       name, near ? ": did you mean \"--" : "", near ? near : "", near ? "\"?" : "",
                       c->name);
}

/* What getopt_long refused: it does not say which of several reasons, so look at the word. */
static void complain_option(const struct cli *c, int code)
{
    const char *word = c->argv[optind > 0 ? optind - 1 : 0];
    char name[CLI_NAME_BYTES];
    if (code == ':') {
        (void)cli_complain(c->command, "option %s needs a value", word);
        return;
    }
    if (optopt > 0 && optopt < 128) {
        (void)cli_complain(c->command,
                           "unknown option -%c; \"halfulp %s --help\" prints all options", optopt,
                           c->command->name);
        return;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    if (optopt) { /* getopt's code of the row */
        (void)cli_complain(c->command, "option --%s does not accept a value", name);
        return;
    }
    complain_unknown(c->command, name);
}

/* The rows as getopt_long wants them. ':' at the start of the letters has it tell a missing value by ':'. */
struct getopt_tables {
    struct option longs[CLI_MAX_OPTIONS + 2];
    char shorts[2 * CLI_MAX_OPTIONS + 4];
};

static void fill_tables(const struct cli_command *command, struct getopt_tables *out)
{
    *out = (struct getopt_tables){.shorts = ":h"};
    size_t n_shorts = strlen(out->shorts);
    size_t const n = count_options(command);
    for (size_t i = 0; i < n && i < CLI_MAX_OPTIONS; i++) {
        const struct cli_option *o = &command->options[i];
        out->longs[i] = (struct option){o->name, o->value ? required_argument : no_argument, NULL,
                                        CLI_FIRST_ROW + (int)i};
        if (o->letter) {
            out->shorts[n_shorts++] = o->letter;
            if (o->value) {
                out->shorts[n_shorts++] = ':';
            }
        }
    }
    out->longs[n] = (struct option){"help", no_argument, NULL, 'h'};
}

/* Read the next option of the command line, its value into c->value. Returns its row in the command's table;
 * CLI_END after the last; CLI_BAD after a message; CLI_HELP after the help was printed. */
static int next_option(struct cli *c)
{
    struct getopt_tables tables;
    size_t const n = count_options(c->command);
    fill_tables(c->command, &tables);
    opterr = 0; /* messages are ours */
    int const code = getopt_long(c->argc, c->argv, tables.shorts, tables.longs, NULL);
    c->value = optarg;
    if (code == -1) {
        return CLI_END;
    }
    if (code == 'h') {
        print_help(c->command, stdout);
        return CLI_HELP;
    }
    for (size_t i = 0; i < n && code != '?' && code != ':'; i++) {
        if (code == CLI_FIRST_ROW + (int)i || code == c->command->options[i].letter) {
            return (int)i;
        }
    }
    complain_option(c, code);
    return CLI_BAD;
}

static bool complain_value(const struct cli *c, const char *right)
{
    (void)cli_complain(c->command, "--%s \"%.80s\": %s", c->option->name, c->value, right);
    return false;
}

bool cli_take_sandbox(const struct cli *c, void *options)
{
    (void)options;
    if (strcmp(c->value, "yes") != 0 && strcmp(c->value, "no") != 0) {
        return complain_value(c, "yes or no is needed");
    }
    return setenv("HALFULP_SANDBOX", c->value, 1) == 0;
}

static bool read_number(const struct cli *c, uint64_t *out)
{
    const struct cli_option *const o = c->option;
    char *end = NULL;
    char right[96];
    errno = 0;
    *out = strtoull(c->value, &end, 0);
    if (!isdigit((unsigned char)c->value[0]) || *end || errno || *out < o->min || *out > o->max) {
        (void)snprintf(right, sizeof(right), "a number of %" PRIu64 " to %" PRIu64 " is needed",
                       o->min, o->max);
        return complain_value(c, right);
    }
    return true;
}

/* What a letter after a number multiplies it by. */
struct unit {
    char letter;
    uint64_t factor;
};
struct units {
    const struct unit *unit; /* the smallest first */
    size_t n;
    bool is_needed;    /* or a number alone is in the first unit */
    const char *right; /* what is right, for who wrote something else */
};

/* Digits alone, where a unit is needed. */
static bool complain_bare(const struct cli *c)
{
    (void)cli_complain(c->command, "--%s %.40s: a unit is needed, such as %.40ss, %.40sm, %.40sh",
                       c->option->name, c->value, c->value, c->value, c->value);
    return false;
}

/* Read a value such as 90s, 1h30m or 2G: numbers, after each a letter of the units, whose factor it is multiplied by, the
 * largest unit first. The sum is above 0, and at most half of what fits, so that others can be added to it. False after a
 * message that says what is right. */
static bool read_scaled(const struct cli *c, const struct units *of, uint64_t *out)
{
    const char *at = c->value;
    uint64_t sum = 0;
    bool const is_bare = *at && at[strspn(at, "0123456789")] == '\0';
    if (is_bare && of->is_needed) {
        return complain_bare(c);
    }
    /* Units come in falling order: only those below index `below` may follow. An empty value fails at its first
     * digit. */
    for (size_t below = of->n; *at || at == c->value;) {
        char *end = NULL;
        errno = 0;
        uint64_t const n = strtoull(at, &end, 10);
        if (!isdigit((unsigned char)*at) || errno) {
            return complain_value(c, of->right);
        }
        size_t unit = 0; /* the first of the table, if the number is bare */
        while (!is_bare && unit < below && of->unit[unit].letter != *end) {
            unit++;
        }
        if (unit >= below || n > UINT64_MAX / 2 / of->unit[unit].factor ||
            sum > UINT64_MAX / 2 - n * of->unit[unit].factor) {
            return complain_value(c, of->right);
        }
        sum += n * of->unit[unit].factor;
        below = unit;
        at = is_bare ? end : end + 1;
    }
    *out = sum;
    return sum > 0 || complain_value(c, of->right);
}

static bool read_time(const struct cli *c, uint64_t *out_ns)
{
    static const struct unit rows[] = {
        {'s', SECOND_NS        },
        {'m', 60 * SECOND_NS   },
        {'h', 3600 * SECOND_NS },
        {'d', 86400 * SECOND_NS}
    };
    static const struct units units = {rows, ARRAY_N(rows), true,
                                       "a time like 60s, 10m, 1h30m or 2d is needed"};
    return read_scaled(c, &units, out_ns);
}

static bool read_size(const struct cli *c, uint64_t *out_bytes)
{
    static const struct unit rows[] = {
        {'B', 1      },
        {'K', 1 << 10},
        {'M', 1 << 20},
        {'G', 1 << 30}
    };
    static const struct units units = {rows, ARRAY_N(rows), false,
                                       "a size like 500000, 500K, 100M or 2G is needed"};
    return read_scaled(c, &units, out_bytes);
}

static bool read_env(const struct cli *c, enum env *out)
{
    for (int i = 0; i < ENV_N; i++) {
        if (strcmp(c->value, env_names[i]) == 0) {
            *out = (enum env)i;
            return true;
        }
    }
    return complain_value(c, "opencl or vulkan is needed");
}

static bool read_language(const struct cli *c, enum language *out)
{
    for (int i = 0; i < LANGUAGE_N; i++) {
        if (strcmp(c->value, language_names[i]) == 0) {
            *out = (enum language)i;
            return true;
        }
    }
    return complain_value(c, "spirv, opencl-c or glsl is needed");
}

static bool read_profile(const struct cli *c, enum profile *out)
{
    int const found = profile_find(c->value);
    if (found < 0) {
        (void)cli_complain_names(c->command, c->option->name, c->value, profile_names, PROFILE_N);
        return false;
    }
    *out = (enum profile)found;
    return true;
}

static bool read_device(const struct cli *c, const struct sample_device **out)
{
    int const found = sample_device_find(c->value);
    if (found < 0) {
        const char *names[SAMPLE_DEVICE_N];
        for (int i = 0; i < SAMPLE_DEVICE_N; i++) {
            names[i] = sample_devices[i].name;
        }
        (void)cli_complain_names(c->command, c->option->name, c->value, names, SAMPLE_DEVICE_N);
        return false;
    }
    *out = &sample_devices[found];
    return true;
}

/* Put the value of the option just read, c->value, where its row says: o->at is the offset of the field in
 * the command's struct of options, and o->type its type. False after a message. */
static bool take_value(const struct cli *c, void *options)
{
    const struct cli_option *const o = c->option;
    void *const at = (char *)options + o->at;
    uint64_t n = 0;
    switch (o->type) {
    case CLI_FLAG:
        *(int *)at = 1;
        return true;
    case CLI_SET:
        *(int *)at = (int)o->min; /* the option stands for the value in column min */
        return true;
    case CLI_TEXT:
        *(const char **)at = c->value;
        return true;
    case CLI_U32:
        if (!read_number(c, &n)) {
            return false;
        }
        *(uint32_t *)at = (uint32_t)n;
        return true;
    case CLI_U64:
        return read_number(c, at);
    case CLI_TIME:
        return read_time(c, at);
    case CLI_SIZE:
        return read_size(c, at);
    case CLI_LANGUAGE:
        return read_language(c, at);
    case CLI_ENV:
        return read_env(c, at);
    case CLI_PROFILE:
        return read_profile(c, at);
    case CLI_DEVICE:
        return read_device(c, at);
    case CLI_SHARD:
        return shard_parse(at, c->value) ||
               complain_value(c, "I/N is needed, such as 2/4: part 2 of 4, of at most 100000");
    case CLI_OWN:
        return o->take(c, options);
    }
    assert(0 && "cli_type out of range");
    return false;
}

/* All options by their rows into the command's options. false: nothing is to be done, after a message or the
 * help, and `status` says how that ends. */
static bool read_options(struct cli *c, void *options)
{
    for (int row = next_option(c); row != CLI_END; row = next_option(c)) {
        c->status = row == CLI_HELP ? STATUS_OK : STATUS_USAGE;
        if (row < 0) {
            return false;
        }
        c->option = &c->command->options[row];
        if (!take_value(c, options)) {
            return false;
        }
        if (c->n_given < CLI_MAX_GIVEN) {
            c->given[c->n_given++] =
                (struct cli_given){c->option, c->option->value ? c->value : NULL};
        }
        if (c->option->given_at) {
            *(int *)((char *)options + c->option->given_at - 1) = 1;
        }
    }
    c->n_words = c->argc - optind;
    c->words = c->argv + optind;
    return true;
}

/* Options need no quotes but for what is after their '='; a path may begin with '-' and gets "./" then. */
static const char *quote_word(const char *word, struct arena *a)
{
    size_t n = 0;
    while (isalnum((unsigned char)word[n]) || word[n] == '-') {
        n++;
    }
    return word[0] == '-' && !word[n] ? word : printable_quote(a, word);
}

const char *cli_say_again(const struct cli *c, struct arena *a)
{
    const char *text = "halfulp";
    for (int i = 0; i < c->argc; i++) {
        text = arena_printf(a, "%s %s", text, quote_word(c->argv[i], a));
    }
    return text;
}

const char *cli_say_kept(const struct cli *c, const struct cli_kept *list, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < c->n_given; i++) {
        const struct cli_given *const given = &c->given[i];
        const struct cli_kept *row = list;
        while (row->name && strcmp(row->name, given->option->name) != 0) {
            row++;
        }
        if (row->name) {
            text = arena_printf(a, "%s --%s%s%s", text, row->as ? row->as : row->name,
                                given->value ? " " : "",
                                given->value ? printable_quote(a, given->value) : "");
        }
    }
    return text;
}

const char *cli_say_with(const struct cli *c, const char *name, const char *value, struct arena *a)
{
    const char *const option = arena_printf(a, "--%s", name);
    size_t const n = strlen(option);
    const char *text = "halfulp";
    for (int i = 0; i < c->argc; i++) {
        const char *const word = c->argv[i];
        bool const is_begun = strncmp(word, option, n) == 0;
        if (is_begun && (word[n] == '\0' || word[n] == '=')) {
            text = arena_printf(a, "%s %s %s", text, option, value);
            i += word[n] == '\0'; /* its value */
        } else {
            text = arena_printf(a, "%s %s", text, quote_word(word, a));
        }
    }
    return text;
}

void cli_drop_made(struct cli *c)
{
    struct err ignored;
    if (c->made.path[0] && owner_take(c->made.path, &ignored) != RES_USAGE) {
        file_drop_made(&c->made);
    }
}

enum cli_status cli_run(const struct cli_entry *entry, int argc, char **argv)
{
    struct cli c = {.command = entry->help, .argc = argc, .argv = argv};
    struct arena own, a;
    arena_init(&own, OPTIONS_ARENA_BYTES);
    arena_init(&a, entry->arena_bytes);
    void *const options = arena_copy(&own, entry->defaults, entry->options_bytes);
    if (!options) {
        return STATUS_HARNESS;
    }
    enum cli_status const status =
        read_options(&c, options) ? entry->run(&c, options, &a) : c.status;
    if (status == STATUS_USAGE || status == STATUS_HARNESS) {
        cli_drop_made(&c);
    }
    arena_free(&a);
    arena_free(&own);
    return status;
}

bool cli_refuse_words(struct cli *c)
{
    if (c->n_words > 0) {
        c->status =
            cli_complain(c->command, "\"%s\": this command accepts only options", c->words[0]);
    }
    return c->n_words == 0;
}

bool cli_take_folder(struct cli *c, const char **folder)
{
    if (c->n_words > 1 || (c->n_words == 1 && *folder)) {
        c->status =
            cli_complain(c->command, "\"%s\": only one folder can be given", c->argv[c->argc - 1]);
        return false;
    }
    if (c->n_words == 1) {
        *folder = c->words[0];
    }
    return true;
}
