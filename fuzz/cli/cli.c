/* fuzz/cli/cli.c -- what all commands share: options as tables, values, exit statuses, messages. */
#include "fuzz/cli/cli.h"

#include "base/printable.h"
#include "gen/tape/profile.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLI_MAX_OPTIONS = 32,
    CLI_HELP_COLUMN = 26
};
#define SECOND_NS UINT64_C(1000000000)

static size_t count_options(const struct cli_command *c)
{
    size_t n = 0;
    while (c->options[n].name) {
        n++;
    }
    return n;
}

void cli_print_help(const struct cli_command *c, FILE *f)
{
    (void)fprintf(f, "usage: halfulp %s %s\n%s\n", c->name, c->words, c->summary);
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

/* What getopt_long refused: it does not say which of several reasons, so look at the word. */
static void complain_option(const struct cli *c, int code)
{
    const char *word = c->argv[optind > 0 ? optind - 1 : 0];
    if (code == ':') {
        (void)cli_complain(c->command, "option %s needs a value", word);
    } else if (optopt > 0 && optopt < 128) {
        (void)cli_complain(c->command, "unknown option -%c; \"halfulp %s --help\" lists them",
                           optopt, c->command->name);
    } else if (strchr(word, '=')) {
        (void)cli_complain(c->command, "option %s takes no value, or is unknown", word);
    } else {
        (void)cli_complain(c->command, "unknown option %s; \"halfulp %s --help\" lists them", word,
                           c->command->name);
    }
}

/* One option of the command; what cli_next returns. */
static int next_option(struct cli *c)
{
    struct option longs[CLI_MAX_OPTIONS + 2];
    char shorts[2 * CLI_MAX_OPTIONS + 4] = ":h";
    size_t n_shorts = 2;
    size_t const n = count_options(c->command);
    memset(longs, 0, sizeof(longs));
    for (size_t i = 0; i < n && i < CLI_MAX_OPTIONS; i++) {
        const struct cli_option *o = &c->command->options[i];
        longs[i] = (struct option){o->name, o->value ? required_argument : no_argument, NULL,
                                   256 + (int)i};
        if (o->letter) {
            shorts[n_shorts++] = o->letter;
            if (o->value) {
                shorts[n_shorts++] = ':';
            }
        }
    }
    longs[n] = (struct option){"help", no_argument, NULL, 'h'};
    opterr = 0;
    int const code = getopt_long(c->argc, c->argv, shorts, longs, NULL);
    c->value = optarg;
    c->first_word = optind;
    if (code == -1) {
        return CLI_END;
    }
    if (code == 'h') {
        cli_print_help(c->command, stdout);
        return CLI_HELP;
    }
    for (size_t i = 0; i < n && code != '?' && code != ':'; i++) {
        if (code == 256 + (int)i || code == c->command->options[i].letter) {
            return (int)i;
        }
    }
    complain_option(c, code);
    return CLI_BAD;
}

static int complain_value(const struct cli *c, int option, const char *right)
{
    (void)cli_complain(c->command, "--%s \"%.80s\": %s", c->command->options[option].name, c->value,
                       right);
    return 0;
}

/* For all that this process starts, AFL++'s instances too. */
static int take_sandbox(const struct cli *c, int option)
{
    if (strcmp(c->value, "yes") != 0 && strcmp(c->value, "no") != 0) {
        return complain_value(c, option, "yes or no is needed");
    }
    return setenv("HALFULP_SANDBOX", c->value, 1) == 0;
}

int cli_next(struct cli *c)
{
    int option = 0;
    do {
        option = next_option(c);
        if (option < 0 || strcmp(c->command->options[option].name, CLI_SANDBOX_NAME) != 0) {
            return option;
        }
    } while (take_sandbox(c, option));
    return CLI_BAD;
}

int cli_number(const struct cli *c, int option, uint64_t min, uint64_t max, uint64_t *out)
{
    char *end = NULL;
    char right[96];
    errno = 0;
    *out = strtoull(c->value, &end, 0);
    if (!isdigit((unsigned char)c->value[0]) || *end || errno || *out < min || *out > max) {
        (void)snprintf(right, sizeof(right), "a number of %" PRIu64 " to %" PRIu64 " is needed",
                       min, max);
        return complain_value(c, option, right);
    }
    return 1;
}

/* A number with one of the letters behind it, each with its factor. */
static int scaled(const struct cli *c, int option, const char *letters, const uint64_t *factors,
                  uint64_t *out, const char *right)
{
    char *end = NULL;
    errno = 0;
    uint64_t const n = strtoull(c->value, &end, 10);
    uint64_t factor = factors[0];
    if (!isdigit((unsigned char)c->value[0]) || errno) {
        return complain_value(c, option, right);
    }
    if (*end) {
        const char *at = strchr(letters, *end);
        if (!at || end[1]) {
            return complain_value(c, option, right);
        }
        factor = factors[at - letters];
    }
    if (n == 0 || n > UINT64_MAX / 2 / factor) {
        return complain_value(c, option, right);
    }
    *out = n * factor;
    return 1;
}

int cli_duration(const struct cli *c, int option, uint64_t *out_ns)
{
    static const uint64_t factors[] = {SECOND_NS, 60 * SECOND_NS, 3600 * SECOND_NS,
                                       86400 * SECOND_NS};
    return scaled(c, option, "smhd", factors, out_ns, "a time like 60s, 10m, 8h or 2d is needed");
}

int cli_size(const struct cli *c, int option, uint64_t *out_bytes)
{
    static const uint64_t factors[] = {1, 1 << 10, 1 << 20, 1 << 30};
    return scaled(c, option, "BKMG", factors, out_bytes,
                  "a size like 500000, 500K, 100M or 2G is needed");
}

int cli_env(const struct cli *c, int option, enum env *out)
{
    for (int i = 0; i < ENV_N; i++) {
        if (strcmp(c->value, env_names[i]) == 0) {
            *out = (enum env)i;
            return 1;
        }
    }
    return complain_value(c, option, "opencl or vulkan is needed");
}

int cli_profile(const struct cli *c, int option, enum profile *out)
{
    int const found = profile_find(c->value);
    if (found < 0) {
        char right[128] = "there are:";
        size_t n = strlen(right);
        for (int i = 0; i < PROFILE_N && n < sizeof(right); i++) {
            n += (size_t)snprintf(right + n, sizeof(right) - n, " %s", profile_names[i]);
        }
        return complain_value(c, option, right);
    }
    *out = (enum profile)found;
    return 1;
}
