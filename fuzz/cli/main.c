/* fuzz/cli/main.c -- the command line; one row per command. */
#include <string.h>

#include "base/printable.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cmd_audit.h"
#include "fuzz/cli/cmd_check.h"
#include "fuzz/cli/cmd_corpus.h"
#include "fuzz/cli/cmd_devices.h"
#include "fuzz/cli/cmd_fuzz.h"
#include "fuzz/cli/cmd_gen.h"
#include "fuzz/cli/cmd_judge.h"
#include "fuzz/cli/cmd_reduce.h"
#include "fuzz/cli/cmd_report.h"
#include "fuzz/cli/cmd_run.h"
#include "fuzz/cli/cmd_selftest.h"
#include "fuzz/io/json.h"
#include "fuzz/io/spirv.h"
#include "fuzz/process/surroundings.h"

#define MAIN_ARENA_BYTES ((size_t)512 << 20)
enum {
    MAX_SHOWN = 40
};

/* The reports of what a command that ran a campaign left. */
static enum cli_status report(const struct cli_command *help, struct cmd_result result)
{
    if (!result.folder[0]) {
        return result.status;
    }
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, MAIN_ARENA_BYTES);
    if (report_files(result.folder, &a, &e) != RES_OK) {
        result.status = cli_fail(help, &e);
    } else if (result.is_json) {
        struct json *event = json_new_object();
        json_put_text(event, "event", "end");
        json_put_number(event, "status", (uint64_t)result.status);
        json_put_text(event, "report", arena_printf(&a, "%s/report.html", result.folder));
        if (json_print(event, JSON_LINE, stdout, &e) != RES_OK) {
            result.status = cli_fail(help, &e);
        }
        json_free(event);
    } else {
        printable_print(stdout, "report: %s/report.html\n", result.folder);
    }
    arena_free(&a);
    return result.status;
}

static enum cli_status run_and_report(int argc, char **argv)
{
    return report(&cmd_run_help, cmd_run(argc, argv));
}

static enum cli_status fuzz_and_report(int argc, char **argv)
{
    return report(&cmd_fuzz_help, cmd_fuzz(argc, argv));
}

/* Commands in the order of the help. */
static const struct {
    const struct cli_command *help;
    enum cli_status (*run)(int argc, char **argv);
} commands[] = {
    {&cmd_devices_help,  cmd_devices    },
    {&cmd_run_help,      run_and_report },
    {&cmd_fuzz_help,     fuzz_and_report},
    {&cmd_report_help,   cmd_report     },
    {&cmd_gen_help,      cmd_gen        },
    {&cmd_check_help,    cmd_check      },
    {&cmd_judge_help,    cmd_judge      },
    {&cmd_reduce_help,   cmd_reduce     },
    {&cmd_corpus_help,   cmd_corpus     },
    {&cmd_audit_help,    cmd_audit      },
    {&cmd_selftest_help, cmd_selftest   },
};

static void print_help(FILE *f)
{
    (void)fprintf(f, "usage: halfulp COMMAND [OPTION]...\n"
                     "Fuzz GPU drivers with SPIR-V and judge every result.\n\n");
    for (size_t i = 0; i < ARRAY_N(commands); i++) {
        (void)fprintf(f, "  %-10s %s\n", commands[i].help->name, commands[i].help->summary);
    }
    (void)fprintf(f, "\n\"halfulp COMMAND --help\" explains a command.\n"
                     "Exit status: 0 nothing found, 1 findings, 2 wrong usage or bad input,"
                     " 3 the harness or its surroundings failed.\n");
}

static int print_version(void)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    printf("halfulp, generator %d, %s\n", GEN_VERSION, spirv_get_version(&a));
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
        if (strcmp(argv[1], commands[i].help->name) == 0) {
            return surroundings_prepare(&e) == RES_OK ? (int)commands[i].run(argc - 1, argv + 1)
                                                      : complain(e.text);
        }
    }
    (void)fprintf(stderr, "halfulp: no command \"");
    printable_put(stderr, argv[1], MAX_SHOWN);
    (void)fprintf(stderr, "\"; \"halfulp --help\" lists them\n");
    return STATUS_USAGE;
}

int main(int argc, char **argv)
{
    struct err e;
    int const status = work(argc, argv);
    return surroundings_end(&e) == RES_OK ? status : complain(e.text);
}
