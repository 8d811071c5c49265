/* fuzz/main.c -- the command line; the only file that knows both the campaign and its reports. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/bundle.h"
#include "fuzz/cmd.h"
#include "fuzz/journal.h"
#include "fuzz/json.h"
#include "fuzz/spirv.h"
#include "reports/report.h"

#define MAIN_ARENA_BYTES ((size_t)512 << 20)

enum {
    OPT_FORMAT,
    OPT_OUTPUT,
    OPT_BUNDLE
};
static const struct cli_option report_options[] = {
    {"format", "NAME", "text, html or json (default: text)",                                 0  },
    {"output", "PATH", "file to write (default: standard output); with --bundle the folder", 'o'},
    {"bundle", "ID",   "write that finding's case and observation as a folder",              0  },
    {NULL,     NULL,   NULL,                                                                 0  },
};
static const struct cli_command report_help = {
    "report", "[OPTION]... FOLDER", "Report a campaign: targets, findings, coverage, differences.",
    "", report_options};

/* Words of `halfulp report`. */
struct report_words {
    enum report_format format;
    const char *output, *folder;
    uint64_t bundle; /* 0 = none */
};

static enum res write_report(const struct campaign *c, enum report_format format, const char *path,
                             struct err *e)
{
    FILE *f = path ? fopen(path, "w") : stdout;
    if (!f) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    enum res r = report_write(format, c, f, e);
    int const bad = path ? fclose(f) : fflush(stdout);
    if (bad && r == RES_OK) {
        r = err_set(e, RES_IO, "%s: %s", path ? path : "standard output", strerror(errno));
    }
    return r;
}

static enum res write_bundle(struct journal *j, const struct report_words *w, struct arena *a,
                             struct err *e)
{
    struct bundle b = {.has_observation = 1};
    enum res r = journal_get_case(j, (int64_t)w->bundle, a, &b.tc, &b.ob, e);
    r = r == RES_OK ? bundle_write(w->output, &b, a, e) : r;
    if (r == RES_OK) {
        printf("%s: written; \"halfulp check %s\" runs it again, \"halfulp judge %s\" judges it\n",
               w->output, w->output, w->output);
    }
    return r;
}

static int read_report_words(int argc, char **argv, struct report_words *w)
{
    struct cli c = {.command = &report_help, .argc = argc, .argv = argv};
    int option = 0;
    while ((option = cli_next(&c)) >= 0) {
        if (option == OPT_OUTPUT) {
            w->output = c.value;
        } else if (option == OPT_BUNDLE && !cli_number(&c, option, 1, INT64_MAX, &w->bundle)) {
            return CLI_BAD;
        } else if (option == OPT_FORMAT) {
            int format = 0;
            while (format < REPORT_FORMAT_N && strcmp(c.value, report_format_names[format]) != 0) {
                format++;
            }
            if (format == REPORT_FORMAT_N) {
                (void)cli_complain(&report_help, "--format \"%.40s\": text, html or json is needed",
                                   c.value);
                return CLI_BAD;
            }
            w->format = (enum report_format)format;
        }
    }
    if (option == CLI_END && c.first_word + 1 != argc) {
        (void)cli_complain(&report_help, "one campaign folder is needed, %d are given",
                           argc - c.first_word);
        return CLI_BAD;
    }
    if (option == CLI_END && w->bundle && !w->output) {
        (void)cli_complain(&report_help, "--bundle: needs -o FOLDER to write to");
        return CLI_BAD;
    }
    w->folder = option == CLI_END ? argv[c.first_word] : NULL;
    return option;
}

static enum cli_status cmd_report(int argc, char **argv)
{
    struct report_words w = {.format = REPORT_TEXT};
    int const end = read_report_words(argc, argv, &w);
    if (end != CLI_END) {
        return end == CLI_HELP ? STATUS_OK : STATUS_USAGE;
    }
    struct arena a;
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    struct campaign campaign;
    enum cli_status status = STATUS_OK;
    arena_init(&a, MAIN_ARENA_BYTES);
    if (journal_open(&j, w.folder, NULL, &e) != RES_OK) {
        status = cli_fail_input(&report_help, &e);
    } else if (w.bundle) {
        status = write_bundle(j, &w, &a, &e) == RES_OK ? STATUS_OK : cli_fail(&report_help, &e);
    } else if (journal_load(j, &a, &campaign, &e) != RES_OK ||
               write_report(&campaign, w.format, w.output, &e) != RES_OK) {
        status = cli_fail(&report_help, &e);
    }
    journal_close(j);
    arena_free(&a);
    return status;
}

/* The reports of a campaign that just ran, in its folder. */
static enum res write_all(const char *folder, struct arena *a, struct err *e)
{
    static const char *const names[REPORT_FORMAT_N] = {"report.txt", "report.html", "report.json"};
    struct journal *j = NULL;
    struct campaign campaign;
    enum res r = journal_open(&j, folder, NULL, e);
    r = r == RES_OK ? journal_load(j, a, &campaign, e) : r;
    for (int i = 0; i < REPORT_FORMAT_N && r == RES_OK; i++) {
        r = write_report(&campaign, (enum report_format)i,
                         arena_printf(a, "%s/%s", folder, names[i]), e);
    }
    journal_close(j);
    return r;
}

static enum cli_status run_and_report(int argc, char **argv)
{
    struct cmd_result result = cmd_run(argc, argv);
    if (!result.folder[0]) {
        return result.status;
    }
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, MAIN_ARENA_BYTES);
    if (write_all(result.folder, &a, &e) != RES_OK) {
        result.status = cli_fail(&cmd_run_help, &e);
    } else if (result.is_json) {
        struct json *event = json_new_object();
        json_put_text(event, "event", "end");
        json_put_number(event, "status", (uint64_t)result.status);
        json_put_text(event, "report", arena_printf(&a, "%s/report.html", result.folder));
        if (json_print(event, JSON_LINE, stdout, &e) != RES_OK) {
            result.status = cli_fail(&cmd_run_help, &e);
        }
        json_free(event);
    } else {
        printf("report: %s/report.html\n", result.folder);
    }
    arena_free(&a);
    return result.status;
}

/* Commands in the order of the help. */
static const struct {
    const struct cli_command *help;
    enum cli_status (*run)(int argc, char **argv);
} commands[] = {
    {&cmd_devices_help,  cmd_devices   },
    {&cmd_run_help,      run_and_report},
    {&report_help,       cmd_report    },
    {&cmd_gen_help,      cmd_gen       },
    {&cmd_check_help,    cmd_check     },
    {&cmd_judge_help,    cmd_judge     },
    {&cmd_reduce_help,   cmd_reduce    },
    {&cmd_audit_help,    cmd_audit     },
    {&cmd_selftest_help, cmd_selftest  },
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

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < ARRAY_N(commands); i++) {
        if (strcmp(argv[1], commands[i].help->name) == 0) {
            return (int)commands[i].run(argc - 1, argv + 1);
        }
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        struct arena a;
        arena_init(&a, 1 << 16);
        printf("halfulp, generator %d, %s\n", GEN_VERSION, spirv_get_version(&a));
        arena_free(&a);
        return STATUS_OK;
    }
    (void)fprintf(stderr, "halfulp: no command \"%.40s\"; \"halfulp --help\" lists them\n",
                  argv[1]);
    return STATUS_USAGE;
}
