/* fuzz/cli/cmd_audit.c -- halfulp audit: every function on every type against MPFR, its bounds kept or not. */
#include "fuzz/cli/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/format.h"
#include "base/printable.h"
#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_code.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/audit/audit_state.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cmd_audit_bugs.h"
#include "fuzz/cli/cmd_audit_rest.h"
#include "fuzz/journal/owner.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/place.h"
#include "fuzz/process/progress.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "reports/audit/audit_changes.h"
#include "reports/audit/audit_code_html.h"
#include "reports/audit/audit_code_table.h"
#include "reports/audit/audit_json.h"
#include "reports/audit/audit_matrix.h"
#include "reports/audit/audit_report.h"
#include "reports/audit/audit_view.h"
#include "reports/audit/audit_write.h"

struct options {
    struct audit_request request;
    const char *target, *ini, *compare;
    int is_json, is_quiet, is_report;
    uint64_t budget_ns;
    struct cli *c;
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
    CLI_ROW("target", "LIST",
            "names of targets; radv-* selects all names that begin with radv- (default: the only "
            "target found)",
            CLI_PUT(CLI_TEXT, target)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("ops", "LIST", "names of functions, or all (default: all)",
            CLI_PUT(CLI_TEXT, request.functions)),
    CLI_ROW("types", "LIST", "types: f16, f32, f64 (default: f16,f32)", .type = CLI_OWN,
            .take = take_types),
    CLI_ROW("forms", "LIST", "variants of a function: full, half, native, decorated (default: all)",
            .type = CLI_OWN, .take = take_forms),
    CLI_ROW("bounds", "LIST",
            "also measure each function with these max-error decorations, in ulps, such as 0.5,1,4",
            .type = CLI_OWN, .take = take_bounds),
    CLI_ROW("sampled", NULL,
            "search for the worst f32 arguments instead of trying every f32 argument",
            CLI_PUT(CLI_SET, request.reach), .min = AUDIT_REACH_SAMPLES),
    CLI_ROW("exhaustive", NULL,
            "also try every f32 argument of functions whose results only MPFR can judge (this "
            "lasts for days)",
            CLI_PUT(CLI_SET, request.reach), .min = AUDIT_REACH_ALL),
    CLI_ROW("samples", "N", "number of inputs that each search tries (default: 100000)",
            CLI_PUT(CLI_U64, request.n_samples), CLI_WITHIN(1, UINT64_C(1) << 48)),
    CLI_ROW("worst", "FOLDER",
            "folder with lists of hard inputs (default: corpora/worst beside the program)",
            CLI_PUT(CLI_TEXT, request.worst)),
    CLI_ROW("seed", "N", "seed of a search (default: 1)", CLI_PUT(CLI_U64, request.seed),
            CLI_WITHIN(0, UINT64_MAX)),
    CLI_ROW("shard", "I/N",
            "run only part I of N parts of the audit; \"halfulp merge\" joins the parts",
            CLI_PUT(CLI_SHARD, request.shard)),
    CLI_ROW("judges", "N", "number of processes that judge results (default: one per core)",
            CLI_PUT(CLI_U32, request.n_judges), CLI_WITHIN(1, 64)),
    CLI_ROW("for", "TIME", "time limit for the audit of all targets together",
            CLI_PUT(CLI_TIME, budget_ns)),
    CLI_ROW("report", NULL, "measure nothing; write one table of the audits in the given folders",
            CLI_PUT(CLI_FLAG, is_report)),
    CLI_ROW("output", "FOLDER", "folder for results and progress (default: halfulp-audit-TARGET)",
            CLI_PUT(CLI_TEXT, request.folder), .letter = 'o'),
    CLI_ROW("compare", "FILE",
            "show the changes since an earlier audit; FILE is the audit.json of that audit",
            CLI_PUT(CLI_TEXT, compare)),
    CLI_ROW("json", NULL, "print the results as JSON instead of a table",
            CLI_PUT(CLI_FLAG, is_json)),
    CLI_QUIET(is_quiet),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_audit_help = {
    "audit", "[OPTION]... | --report FOLDER...",
    "Measure the error of every math function on a target, and report every violated bound.",
    "Examples:\n"
    "  halfulp audit --target intel-cpu --ops exp,sin --types f32\n"
    "  halfulp audit --target intel-cpu,lavapipe --ops all --types f16,f32 --for 20m -o both\n"
    "  halfulp audit --report both/intel-cpu both/lavapipe -o table\n"
    "\n"
    "For a function of one argument, halfulp tries every f16 argument. It also tries every f32 "
    "argument if it\n"
    "has a certified evaluator of the function (seconds to minutes for each function). For all "
    "other\n"
    "functions and types, halfulp searches for the worst inputs. A search tries known hard inputs "
    "first. Then\n"
    "it tries special values, random inputs, and the neighbours of the worst inputs found so far.\n"
    "\n"
    "--for limits the time of the whole audit. Each target gets an equal share of the time, which "
    "is divided\n"
    "evenly among its functions and types. If a function does not use all of its time, later "
    "functions use\n"
    "the rest. If an audit was stopped, the same command with the same folder and options "
    "continues it. Only\n"
    "--for may differ; the new time counts from the new start. At its end, an audit prints the "
    "incomplete\n"
    "functions, the time that they need, and the command that continues the audit.\n"
    "\n"
    "halfulp writes audit.json, audit.html, audit.csv and audit.tex to the folder. With several "
    "targets, each\n"
    "target has a separate folder, and table.html, table.csv and table.tex compare the targets. "
    "--report\n"
    "writes the same tables from existing audits. For each function that violates its bound, the "
    "folder\n"
    "bugs/NAME contains a kernel and a program that demonstrate the error.\n"
    "On a target without a device, halfulp only compiles the functions. Then code.html and "
    "code.tsv show\n"
    "which functions and forms are compiled to different code.\n"
    "A GPU vendor's math library (targets ocml-* and igc-math-*, from make vendor-math) is a "
    "target "
    "too.\n"
    "Exit status: 0 no wrong result among the inputs tried (a search does not prove a bound); 1 a "
    "wrong\n"
    "result; 2 wrong usage; 3 halfulp or its environment failed; 4 no wrong result so far, but "
    "some results\n"
    "could not be judged (the audit was stopped or ran out of time, or inputs were skipped or "
    "could not be\n"
    "decided).\n",
    option_rows};

#define AUDIT_ARENA_BYTES ((size_t)1 << 30)
#define WORST_FOLDER      "corpora/worst"
enum {
    DEFAULT_SAMPLES = 100000
};

static enum cli_status get_status(const struct audit *x)
{
    static const enum cli_status status[] = {[AUDIT_ALL_KEPT] = STATUS_OK,
                                             [AUDIT_SOME_WRONG] = STATUS_FINDINGS,
                                             [AUDIT_SOME_MISSING] = STATUS_INCOMPLETE};
    return status[audit_get_outcome(x)];
}

/* Of several audits: a wrong result before what is missing. */
static enum cli_status get_worse(enum cli_status x, enum cli_status y)
{
    if (x == STATUS_FINDINGS || y == STATUS_FINDINGS) {
        return STATUS_FINDINGS;
    }
    return x == STATUS_OK ? y : x;
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
        if (list->t[i].values == VALUES_DEVICE) {
            return false;
        }
    }
    return list->n > 0;
}

/* Has each of them a device? */
static bool are_measured(const struct target_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->t[i].values != VALUES_DEVICE) {
            return false;
        }
    }
    return list->n > 0;
}

/* The targets of the command: named, or the only one that is here; of compilers all that fit the name. */
static enum res choose_targets(const struct options *opt, struct target_list *chosen,
                               struct arena *a, struct err *e)
{
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(targets_find(list, opt->ini, a, e));
    list->has_audits = true;
    TRY(targets_select(list, opt->target, chosen, a, e));
    for (uint32_t i = 0; i < chosen->n && opt->request.n_bounds > 0; i++) {
        const struct target *const t = &chosen->t[i];
        if (t->language != LANGUAGE_SPIRV || t->is_library) {
            return err_set(e, RES_USAGE,
                           "--bounds: target %s %s, which cannot express max-error decorations",
                           t->name, t->is_library ? "is a math library" : "receives OpenCL C");
        }
    }
    if (chosen->n == 1 || are_compilers(chosen) || (opt->target && are_measured(chosen))) {
        return RES_OK;
    }
    const char *names = "";
    for (uint32_t i = 0; i < chosen->n; i++) {
        names = arena_printf(a, "%s %s", names, chosen->t[i].name);
    }
    return chosen->n == 0
               ? err_set(e, RES_IO,
                         "no driver was found: \"halfulp devices\" prints how to get some")
               : err_set_list(e, RES_USAGE, names, "--target is needed; accepted names:");
}

static enum res own_folder(const char *folder, struct err *e)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return err_set(e, RES_USAGE, "%s: %s", folder, strerror(errno));
    }
    return owner_take(folder, e);
}

/* What the command line left open. The audit's folder is this process's afterwards. */
static enum res take_folder(struct options *opt, const struct target_list *chosen, struct arena *a,
                            struct err *e)
{
    struct audit_request *const request = &opt->request;
    if (!request->folder) {
        const char *const many = chosen->t[0].values != VALUES_DEVICE ? "code" : "table";
        request->folder =
            arena_printf(a, "halfulp-audit-%s", chosen->n == 1 ? chosen->t[0].name : many);
    }
    if (!request->worst) {
        request->worst = place_find_beside(WORST_FOLDER, a);
    } else if (access(request->worst, R_OK | X_OK) != 0) {
        return err_set(e, RES_USAGE, "--worst: %s: %s", request->worst, strerror(errno));
    }
    file_note_made(&opt->c->made, request->folder);
    return own_folder(request->folder, e);
}

/* What the audits of this command left open, if anything. */
static void print_rest(const struct options *opt, const struct audit *x, uint32_t n,
                       uint32_t n_targets, struct arena *a)
{
    struct audit_rest const rest = {
        .x = x, .n = n, .n_targets = n_targets, .budget_ns = opt->budget_ns};
    cmd_audit_rest_print(&rest, opt->c, a, opt->is_json ? stderr : stdout);
}

static enum res print_results(const struct options *opt, const struct audit *now,
                              const struct audit *old, struct arena *a, struct err *e)
{
    enum res r = RES_OK;
    if (opt->is_json) {
        r = print_json(opt->request.folder, a, e);
    } else {
        audit_print(now, stdout);
        printable_print(stdout, "report: %s/audit.html\n", opt->request.folder);
    }
    if (opt->compare) {
        audit_print_changes(old, now, opt->is_json ? stderr : stdout);
    }
    print_rest(opt, now, 1, 1, a);
    return r;
}

/* What compilers without a device can be asked: which forms change their code. */
static enum res show_code(const struct options *opt, const struct target_list *chosen,
                          struct arena *a, enum cli_status *status, struct err *e)
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
        *status = x[n].was_stopped ? STATUS_INCOMPLETE : STATUS_OK;
    }
    TRY(audit_code_save(x, n, arena_printf(a, "%s/code.tsv", folder), e));
    TRY(audit_code_write_html(x, n, page, e));
    printable_print(stdout, "report: %s\n", page);
    return RES_OK;
}

/* The audit that --compare names; of an earlier one only. */
static enum res load_older(const struct options *opt, struct audit *old, struct arena *a,
                           struct err *e)
{
    if (!opt->compare) {
        return RES_OK;
    }
    enum res const r = audit_load(old, opt->compare, a, e);
    return r == RES_IO ? e->code = RES_USAGE : r; /* the user named it */
}

/* A folder for each wrong result; of an audit that was stopped none, as whoever stopped it waits for its end. */
static enum res write_bugs(const struct options *opt, const struct target *t, const struct audit *x,
                           struct arena *a, struct err *e)
{
    const char *const folder = arena_printf(a, "%s/bugs", opt->request.folder);
    uint32_t n = 0, n_lost = 0;
    if (x->was_stopped) {
        return RES_OK;
    }
    TRY(cmd_audit_bugs_write(x, t, folder, &n, &n_lost, e));
    FILE *const out = opt->is_json ? stderr : stdout;
    if (n > 0) {
        printable_print(out, "bugs: %" PRIu32 " folder%s in %s\n", n, n == 1 ? "" : "s", folder);
    }
    if (n_lost > 0) {
        printable_print(out, "wrong in the audit, but correct in a separate kernel: %" PRIu32 "\n",
                        n_lost);
    }
    return RES_OK;
}

/* Audit a target into the request's folder, and write what is to be read about it. */
static enum res measure(struct options *opt, const struct target *t, struct arena *a,
                        struct audit *now, struct err *e)
{
    enum res const r = audit_run(t, &opt->request, a, now, e);
    progress_clear(opt->request.progress);
    if (r == RES_OK ||
        access(arena_printf(a, "%s/%s", opt->request.folder, AUDIT_STATE_FILE), F_OK) == 0) {
        file_keep_made(&opt->c->made); /* what was measured so far */
    }
    TRY(r);
    TRY(write_all(now, opt->request.folder, a, e));
    return write_bugs(opt, t, now, a, e);
}

static enum res show_table(const struct options *opt, const struct audit *x, uint32_t n,
                           struct arena *a, struct err *e)
{
    struct audit_matrix m;
    if (!audit_matrix_make(&m, x, n, a)) {
        return err_set(e, RES_NOMEM, "no memory for the table");
    }
    TRY(audit_matrix_write(&m, opt->request.folder, e));
    if (!opt->is_json) {
        audit_matrix_print(&m, stdout);
        printable_print(stdout, "report: %s/%s\n", opt->request.folder, audit_matrix_files[0]);
    }
    return RES_OK;
}

/* Audit several targets, one after the other, each into a folder of its name, and show them in one table. Each gets
 * the same share of the time that is left; without --for (budget_ns 0) there is no limit. A signal ends the audit of
 * one target and all after it. *status becomes the worst of all. */
static enum res measure_all(struct options *opt, const struct target_list *chosen, struct arena *a,
                            enum cli_status *status, struct err *e)
{
    struct audit *const x = ARENA_NEW(a, struct audit, chosen->n);
    const char *const folder = opt->request.folder;
    uint64_t const end_ns = child_now_ns() + opt->budget_ns;
    uint32_t n = 0;
    if (!x) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    for (bool goes_on = true; n < chosen->n && goes_on; n++) {
        uint64_t const now_ns = child_now_ns();
        uint64_t const share_ns = end_ns > now_ns ? (end_ns - now_ns) / (chosen->n - n) : 0;
        /* 0 would be no limit: once the time is over a target gets the least there is */
        opt->request.budget_ns = !opt->budget_ns ? 0 : share_ns > 0 ? share_ns : 1;
        opt->request.folder = arena_printf(a, "%s/%s", folder, chosen->t[n].name);
        TRY(own_folder(opt->request.folder, e));
        TRY(measure(opt, &chosen->t[n], a, &x[n], e));
        TRY(opt->is_json ? print_json(opt->request.folder, a, e) : RES_OK);
        *status = get_worse(*status, get_status(&x[n]));
        goes_on = !x[n].was_stopped;
    }
    opt->request.folder = folder;
    if (n < chosen->n) {
        *status = get_worse(*status, STATUS_INCOMPLETE);
        printable_print(stderr, "halfulp audit: stopped before %s\n", chosen->t[n].name);
    }
    TRY(show_table(opt, x, n, a, e));
    print_rest(opt, x, n, chosen->n, a);
    return RES_OK;
}

/* Do what the command line asks for: audit the chosen targets, write the reports, print the results, and
 * compare them with the older audit that --compare names. A compiler without a device has no results to
 * measure: of it the code that it makes is shown. *status: findings where a bound was broken. */
static enum res work(struct options *opt, struct arena *a, enum cli_status *status, struct err *e)
{
    struct target_list *const chosen = ARENA_NEW(a, struct target_list, 1);
    struct audit now, old;
    if (!chosen) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(choose_targets(opt, chosen, a, e));
    TRY(load_older(opt, &old, a, e)); /* before anything that takes time */
    if (opt->compare && chosen->n > 1) {
        return err_set(e, RES_USAGE, "--compare: only with one target");
    }
    TRY(take_folder(opt, chosen, a, e));
    if (chosen->t[0].values != VALUES_DEVICE) {
        return show_code(opt, chosen, a, status, e);
    }
    if (chosen->n > 1) {
        return measure_all(opt, chosen, a, status, e);
    }
    opt->request.budget_ns = opt->budget_ns;
    TRY(measure(opt, &chosen->t[0], a, &now, e));
    *status = get_status(&now);
    return print_results(opt, &now, &old, a, e);
}

/* One table of the audits in the folders that the command line names. */
static enum res report(struct options *opt, struct arena *a, enum cli_status *status, struct err *e)
{
    uint32_t const n = (uint32_t)opt->c->n_words;
    struct audit *const x = ARENA_NEW(a, struct audit, n ? n : 1);
    if (n == 0 || !x) {
        return n == 0 ? err_set(e, RES_USAGE, "--report: the folders of audits are needed")
                      : err_set(e, RES_NOMEM, "no memory for the audits");
    }
    for (uint32_t i = 0; i < n; i++) {
        const char *const path = arena_printf(a, "%s/audit.json", opt->c->words[i]);
        enum res const r = audit_load(&x[i], path, a, e);
        if (r != RES_OK) {
            return r == RES_IO ? e->code = RES_USAGE : r; /* the user named it */
        }
        *status = get_worse(*status, get_status(&x[i]));
    }
    opt->request.folder = opt->request.folder ? opt->request.folder : "halfulp-audit-table";
    file_note_made(&opt->c->made, opt->request.folder);
    TRY(own_folder(opt->request.folder, e));
    return show_table(opt, x, n, a, e);
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct err e = {RES_OK, ""};
    enum cli_status status = STATUS_OK;
    struct options *const opt = options;
    if (!opt->is_report && !cli_refuse_words(c)) {
        return c->status;
    }
    opt->c = c;
    struct progress progress;
    progress_open(&progress, stderr);
    opt->request.progress = opt->is_quiet ? NULL : &progress;
    enum res const r = opt->is_report ? report(opt, a, &status, &e) : work(opt, a, &status, &e);
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
