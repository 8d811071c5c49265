/* fuzz/cli/cmd_audit.c -- halfulp audit: every function on every type against MPFR, its bounds kept or not. */
#include "fuzz/cli/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/format.h"
#include "base/printable.h"
#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_code.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/cli/cli.h"
#include "fuzz/journal/owner.h"
#include "fuzz/process/place.h"
#include "fuzz/process/progress.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "reports/audit/audit_changes.h"
#include "reports/audit/audit_code_html.h"
#include "reports/audit/audit_code_table.h"
#include "reports/audit/audit_json.h"
#include "reports/audit/audit_report.h"
#include "reports/audit/audit_write.h"

struct options {
    struct audit_request request;
    const char *target, *ini, *compare;
    int is_json, is_quiet;
    const char *again; /* the command line */
};

static bool complain_item(const struct cli *c, const char *item, size_t n, const char *wanted)
{
    (void)cli_complain(c->command, "--%s: \"%.*s\" is not %s", c->option->name,
                       (int)(n < 40 ? n : 40), item, wanted);
    return false;
}

/* A list of names, as bits. */
static bool read_names(const struct cli *c, const char *const *names, int n_names,
                       const char *wanted, unsigned *out)
{
    const char *at = c->value;
    *out = 0;
    while (*at) {
        size_t const n = strcspn(at, ",");
        int i = 0;
        while (i < n_names && (strlen(names[i]) != n || strncmp(names[i], at, n) != 0)) {
            i++;
        }
        if (i == n_names) {
            return complain_item(c, at, n, wanted);
        }
        *out |= 1u << i;
        at += n + (at[n] == ',');
    }
    return *out || complain_item(c, "", 0, wanted);
}

static bool take_types(const struct cli *c, void *options)
{
    struct options *const opt = options;
    const char *names[FMT_N];
    for (int i = 0; i < FMT_N; i++) {
        names[i] = float_formats[i].name;
    }
    return read_names(c, names, FMT_N, "f16, f32 or f64", &opt->request.types);
}

static bool take_forms(const struct cli *c, void *options)
{
    struct options *const opt = options;
    return read_names(c, audit_form_names, AUDIT_FORM_N, "full, half, native or decorated",
                      &opt->request.forms);
}

/* Read the list of --bounds into the request: numbers of ulps between commas, above 0 and up to the largest
 * float, at most AUDIT_MAX_BOUNDS. False after a message. */
static bool take_bounds(const struct cli *c, void *options)
{
    struct audit_request *const r = &((struct options *)options)->request;
    static float const largest = 0x1.fffffep127F;
    const char *at = c->value;
    r->n_bounds = 0;
    while (*at) {
        size_t const n = strcspn(at, ",");
        char *end = NULL;
        float const bound = strtof(at, &end);
        if (end != at + n || !(bound > 0 && bound <= largest)) {
            return complain_item(c, at, n, "a number of ulps above 0");
        }
        if (r->n_bounds == AUDIT_MAX_BOUNDS) {
            (void)cli_complain(c->command, "--bounds: more than %d", AUDIT_MAX_BOUNDS);
            return false;
        }
        r->bounds[r->n_bounds++] = bound;
        at += n + (at[n] == ',');
    }
    return true;
}

static const struct cli_option option_rows[] = {
    CLI_ROW("target", "NAME", "the target (default: the only one here); compilers: a pattern",
            CLI_PUT(CLI_TEXT, target)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("ops", "LIST", "functions, or all (default: all)",
            CLI_PUT(CLI_TEXT, request.functions)),
    CLI_ROW("types", "LIST", "of f16, f32, f64 (default: f16,f32)", .type = CLI_OWN,
            .take = take_types),
    CLI_ROW("forms", "LIST", "of full, half, native, decorated (default: all)", .type = CLI_OWN,
            .take = take_forms),
    CLI_ROW("bounds", "LIST", "max-error decorations to try as well, in ulps: 0.5,1,4",
            .type = CLI_OWN, .take = take_bounds),
    CLI_ROW("sampled", NULL, "search where every f32 argument would be tried",
            CLI_PUT(CLI_SET, request.reach), .min = AUDIT_REACH_SAMPLES),
    CLI_ROW("exhaustive", NULL, "try every f32 argument where MPFR alone judges: days",
            CLI_PUT(CLI_SET, request.reach), .min = AUDIT_REACH_ALL),
    CLI_ROW("samples", "N", "inputs of a search (default: 100000)",
            CLI_PUT(CLI_U64, request.n_samples), CLI_WITHIN(1, UINT64_C(1) << 48)),
    CLI_ROW("worst", "FOLDER", "lists of hard inputs (default: corpora/worst beside the program)",
            CLI_PUT(CLI_TEXT, request.worst)),
    CLI_ROW("seed", "N", "of a search (default: 1)", CLI_PUT(CLI_U64, request.seed),
            CLI_WITHIN(0, UINT64_MAX)),
    CLI_ROW("judges", "N", "processes that judge (default: one per core)",
            CLI_PUT(CLI_U32, request.n_judges), CLI_WITHIN(1, 64)),
    CLI_ROW("output", "FOLDER", "results and progress (default: halfulp-audit-TARGET)",
            CLI_PUT(CLI_TEXT, request.folder), .letter = 'o'),
    CLI_ROW("compare", "FILE", "audit.json of an earlier audit: show what changed",
            CLI_PUT(CLI_TEXT, compare)),
    CLI_ROW("json", NULL, "print the results as JSON in place of the table",
            CLI_PUT(CLI_FLAG, is_json)),
    CLI_ROW("quiet", NULL, "no progress on standard error", CLI_PUT(CLI_FLAG, is_quiet),
            .letter = 'q'),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_audit_help = {
    "audit", "[OPTION]...",
    "Measure the error of every function of a target, and which bounds it breaks.",
    "Every argument is tried of f16 functions of one argument, and of f32 ones whose reference has "
    "a\n"
    "certified evaluator (some seconds to minutes each); f64, two arguments and the rest are "
    "searched:\n"
    "known hard inputs, special values, random ones, then the neighbours of the worst.\n"
    "An audit that was stopped goes on when it is given the same folder and options.\n"
    "Writes audit.json, audit.html, audit.csv and audit.tex to the folder.\n"
    "On compilers without a device, of which it takes several, nothing is measured: code.html and\n"
    "code.tsv tell which forms change their code.\n"
    "Exit status: 0 all bounds kept, 1 a bound is broken, 2 wrong usage, 3 the harness failed.\n",
    option_rows};

#define AUDIT_ARENA_BYTES ((size_t)1 << 30)
#define WORST_FOLDER      "corpora/worst"
enum {
    DEFAULT_SAMPLES = 100000
};

/* Does a form break what it must keep? */
static int is_broken(const struct audit *x)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            const struct sweep_result *const r = &x->rows[i].result[k];
            if (r->n_broken || r->n_special || r->n_zero_sign) {
                return 1;
            }
        }
    }
    return 0;
}

static enum res write_all(const struct audit *x, const char *folder, struct arena *a, struct err *e)
{
    for (int i = 0; i < AUDIT_FORMAT_N; i++) {
        const char *const path = arena_printf(a, "%s/%s", folder, audit_file_names[i]);
        TRY(audit_write((enum audit_format)i, x, path, e));
    }
    return RES_OK;
}

static enum res print_json(const char *folder, struct arena *a, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    enum res const r =
        file_read(arena_printf(a, "%s/audit.json", folder), (size_t)512 << 20, a, &p, &n, e);
    if (r == RES_OK && fwrite(p, 1, n, stdout) != n) {
        return err_set(e, RES_IO, "standard output: %s", strerror(errno));
    }
    return r;
}

/* Of compilers without a device several may be asked at once. */
static bool are_compilers(const struct target_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (!list->t[i].is_build_only) {
            return false;
        }
    }
    return list->n > 0;
}

/* The one target of the command: named, or the only one that is here; of compilers all that fit the name. */
static enum res choose_target(const struct options *opt, struct target_list *chosen,
                              struct arena *a, struct err *e)
{
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(targets_find(list, opt->ini, a, e));
    TRY(targets_select(list, opt->target, chosen, a, e));
    if (chosen->n == 1 || are_compilers(chosen)) {
        return RES_OK;
    }
    const char *names = "";
    for (uint32_t i = 0; i < chosen->n; i++) {
        names = arena_printf(a, "%s%s%s", names, names[0] ? " " : "", chosen->t[i].name);
    }
    return err_set(e, RES_USAGE, "--target: one is needed, of: %.400s", names);
}

/* What the command line left open. The audit's folder is this process's afterwards. */
static enum res take_folder(struct options *opt, const struct target_list *chosen, struct arena *a,
                            struct err *e)
{
    struct audit_request *const request = &opt->request;
    if (!request->folder) {
        request->folder =
            arena_printf(a, "halfulp-audit-%s", chosen->n == 1 ? chosen->t[0].name : "code");
    }
    if (!request->worst) {
        request->worst = place_find_beside(WORST_FOLDER, a);
    }
    if (mkdir(request->folder, 0777) != 0 && errno != EEXIST) {
        return err_set(e, RES_USAGE, "%s: %s", request->folder, strerror(errno));
    }
    return owner_take(request->folder, e);
}

/* What was not looked into, and the command that goes on. */
static void print_left(const struct options *opt, const struct audit *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_rows; i++) {
        n += x->rows[i].n_done < x->rows[i].n_inputs;
    }
    printable_print(stdout,
                    "stopped: %" PRIu32 " of %" PRIu32 " rows are not finished; to go on: %s\n", n,
                    x->n_rows, opt->again);
}

static enum res print_results(const struct options *opt, const struct audit *now,
                              const struct audit *old, struct arena *a, struct err *e)
{
    enum res r = RES_OK;
    if (opt->is_json) {
        r = print_json(opt->request.folder, a, e);
    } else {
        audit_print(now, stdout);
        if (now->was_stopped) {
            print_left(opt, now);
        }
        printable_print(stdout, "report: %s/audit.html\n", opt->request.folder);
    }
    if (opt->compare) {
        audit_print_changes(old, now, opt->is_json ? stderr : stdout);
    }
    return r;
}

/* What compilers without a device can be asked: which forms change their code. */
static enum res show_code(const struct options *opt, const struct target_list *chosen,
                          struct arena *a, struct err *e)
{
    const char *const folder = opt->request.folder;
    const char *const page = arena_printf(a, "%s/code.html", folder);
    struct audit *const x = ARENA_NEW(a, struct audit, chosen->n);
    uint32_t n = 0;
    if (!x) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    for (bool goes_on = true; n < chosen->n && goes_on; n++) {
        TRY(audit_code_run(&chosen->t[n], &opt->request, a, &x[n], e));
        printable_print(stdout, "%s%s\n", n ? "\n" : "", chosen->t[n].name);
        audit_code_print(&x[n], stdout);
        goes_on = !x[n].was_stopped;
    }
    TRY(audit_code_save(x, n, arena_printf(a, "%s/code.tsv", folder), e));
    TRY(audit_code_write_html(x, n, page, e));
    printable_print(stdout, "report: %s\n", page);
    return RES_OK;
}

/* Do what the command line asks for: audit the one chosen target, write the reports, print the results, and
 * compare them with the older audit that --compare names. A compiler without a device has no results to
 * measure: of it the code that it makes is shown. *status: findings where a bound was broken. */
static enum res work(struct options *opt, struct arena *a, enum cli_status *status, struct err *e)
{
    struct target_list *const chosen = ARENA_NEW(a, struct target_list, 1);
    struct audit now, old;
    if (!chosen) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(choose_target(opt, chosen, a, e));
    if (opt->compare) { /* before anything that takes time */
        enum res const r = audit_load(&old, opt->compare, a, e);
        if (r != RES_OK) {
            return r != RES_IO ? r : err_set(e, RES_USAGE, "%s: cannot be read", opt->compare);
        }
    }
    TRY(take_folder(opt, chosen, a, e));
    if (chosen->t[0].is_build_only) {
        return show_code(opt, chosen, a, e);
    }
    enum res const r = audit_run(&chosen->t[0], &opt->request, a, &now, e);
    progress_clear(opt->request.progress);
    TRY(r);
    TRY(write_all(&now, opt->request.folder, a, e));
    *status = is_broken(&now) ? STATUS_FINDINGS : STATUS_OK;
    return print_results(opt, &now, &old, a, e);
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct err e = {RES_OK, ""};
    enum cli_status status = STATUS_OK;
    if (!cli_refuse_words(c)) {
        return c->status;
    }
    struct options *const opt = options;
    struct progress progress;
    progress_open(&progress, stderr);
    opt->request.progress = opt->is_quiet ? NULL : &progress;
    opt->again = cli_say_again(c, a);
    enum res const r = work(opt, a, &status, &e);
    progress_clear(&progress);
    return r == RES_OK ? status : cli_fail(c->command, &e);
}

static const struct options defaults = {
    .request = {.functions = "all",
                .types = 1u << FMT_F16 | 1u << FMT_F32,
                .n_samples = DEFAULT_SAMPLES,
                .seed = 1}
};
const struct cli_entry cmd_audit = {&cmd_audit_help, &defaults, sizeof defaults, AUDIT_ARENA_BYTES,
                                    run};
