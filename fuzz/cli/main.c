/* fuzz/cli/main.c -- the command line; one row per command. */
#include <string.h>

#include "base/printable.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/commands.h"
#include "fuzz/io/near.h"
#include "fuzz/io/spirv.h"
#include "fuzz/process/surroundings.h"

#ifndef HALFULP_VERSION /* the Makefile knows both */
#define HALFULP_VERSION "unknown"
#endif
#ifndef HALFULP_COMMIT /* "" outside a git tree */
#define HALFULP_COMMIT ""
#endif

enum {
    MAX_SHOWN = 40
};

/* Commands in the order of the help. */
static const struct cli_entry *const commands[] = {
    &cmd_try,    &cmd_devices, &cmd_run,      &cmd_fuzz,     &cmd_merge,
    &cmd_report, &cmd_gen,     &cmd_check,    &cmd_judge,    &cmd_reduce,
    &cmd_corpus, &cmd_audit,   &cmd_refusals, &cmd_selftest, &cmd_cases,
};

static void print_help(FILE *f)
{
    (void)fprintf(
        f, "usage: halfulp COMMAND [OPTION]...\n"
           "Test OpenCL and Vulkan drivers with random SPIR-V modules, and judge every result.\n"
           "\n"
           "A campaign:            halfulp run --for 10m -o first && halfulp report first\n"
           "A kernel of your own:  halfulp try kernel.comp\n"
           "The math library:      halfulp audit --target NAME --ops exp,sin --types f32\n"
           "\n");
    for (size_t i = 0; i < ARRAY_N(commands); i++) {
        (void)fprintf(f, "  %-10s %s\n", commands[i]->help->name, commands[i]->help->summary);
    }
    (void)fprintf(
        f,
        "\n"
        "\"halfulp COMMAND --help\" explains a command. \"halfulp --version\" prints the version.\n"
        "docs/glossary.md explains terms such as tape, bundle, target and core.\n"
        "Exit status: 0 nothing found; 1 findings; 2 wrong usage or bad input; 3 halfulp or its "
        "environment failed;\n"
        "4 some results could not be judged: a case could not be decided, an audit is incomplete, "
        "or a signal stopped\n"
        "a shard.\n");
}

static int print_version(void)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    static const char commit[] = HALFULP_COMMIT;
    printf("halfulp %s%s%s, generator %d, %s\n", HALFULP_VERSION, commit[0] ? ", commit " : "",
           commit, GEN_VERSION, spirv_get_version(&a));
    arena_free(&a);
    return STATUS_OK;
}

static int complain(const char *text)
{
    (void)fprintf(stderr, "halfulp: ");
    printable_put(stderr, text, strlen(text));
    (void)fputc('\n', stderr);
    return STATUS_HARNESS;
}

static int complain_unknown(const char *word)
{
    const char *names[ARRAY_N(commands)];
    for (size_t i = 0; i < ARRAY_N(commands); i++) {
        names[i] = commands[i]->help->name;
    }
    const char *const near = near_find(word, names, ARRAY_N(commands));
    (void)fprintf(stderr, "halfulp: unknown command \"");
    printable_put(stderr, word, MAX_SHOWN);
    (void)fprintf(stderr, "\"%s%s%s; \"halfulp --help\" prints all commands\n",
                  near ? ": did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return STATUS_USAGE;
}

/* Find the command that the first word names and run it with the rest. surroundings_prepare comes first, as
 * all commands rely on it. */
static int work(int argc, char **argv)
{
    struct err e;
    if (argc < 2) {
        print_help(stderr);
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        return print_version();
    }
    for (size_t i = 0; i < ARRAY_N(commands); i++) {
        if (strcmp(argv[1], commands[i]->help->name) == 0) {
            return surroundings_prepare(&e) == RES_OK
                       ? (int)cli_run(commands[i], argc - 1, argv + 1)
                       : complain(e.text);
        }
    }
    return complain_unknown(argv[1]);
}

int main(int argc, char **argv)
{
    struct err e;
    int const status = work(argc, argv);
    return surroundings_end(&e) == RES_OK ? status : complain(e.text);
}
