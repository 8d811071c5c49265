/* fuzz/cli/cmd_run.c -- halfulp run: a campaign. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/campaign_count.h"
#include "fuzz/campaign/case_source.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_campaign.h"
#include "fuzz/cli/cli_modules.h"
#include "fuzz/cli/cmd_report.h"
#include "fuzz/io/json.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_campaign.h"
#include "fuzz/modules/modules.h"
#include "fuzz/process/progress.h"

/* What the command line said. */
struct options {
    struct campaign_options campaign;
    struct sched_options sched;
    const struct cli *c;
    const char *known, *modules, *compiler_options;
    uint64_t disk_cap;
    int has_mutate, is_quiet, is_trusted;
};

static const struct cli_option option_rows[] = {
    CLI_CAMPAIGN("seed of the random cases (default: from the clock)",
                 "the campaign's folder (default: halfulp-run-SEED)"),
    CLI_ROW("workers", "N", "number of driver processes per target (default: 1)",
            CLI_PUT(CLI_U32, sched.n_workers), CLI_WITHIN(1, SCHED_MAX_WORKERS)),
    CLI_ROW(
        "unadvertised", NULL,
        "also test features that the device does not report; halfulp counts these cases separately",
        CLI_PUT(CLI_FLAG, sched.unadvertised)),
    CLI_ROW("mutate", "PERCENT",
            "percentage of cases that are made by changing earlier cases (default: 50; with "
            "--cases: 0)",
            CLI_PUT(CLI_U32, sched.mutate_percent), CLI_WITHIN(0, 100), CLI_GIVEN(has_mutate)),
    CLI_ROW("corpus", "FOLDER",
            "start from the tapes in FOLDER, and also use tapes that are added to FOLDER later",
            CLI_PUT(CLI_TEXT, sched.import)),
    CLI_ROW("device", "NAME",
            "run only cases that this made-up device can run: words, no-subgroups, phone, "
            "embedded, all-vulkan or all-opencl",
            CLI_PUT(CLI_DEVICE, sched.device)),
    CLI_ROW(
        "corpus-modules", "FOLDER",
        "test the kernels in FOLDER (all file types of \"halfulp try\") instead of generated cases",
        CLI_PUT(CLI_TEXT, modules)),
    CLI_ROW("options", "TEXT", "compiler options for the kernels of --corpus-modules",
            CLI_PUT(CLI_TEXT, compiler_options)),
    CLI_ROW("trust", NULL,
            "with --corpus-modules: also run kernels that halfulp cannot show to be harmless",
            CLI_PUT(CLI_FLAG, is_trusted)),
    CLI_ROW("disk-cap", "SIZE",
            "if the journal is larger, store only counts of passing cases (default: 2G)",
            CLI_PUT(CLI_SIZE, disk_cap)),
    CLI_ROW("known", "FILE",
            "list of known bugs, such as corpora/known.tsv; findings that the list explains are "
            "expected",
            CLI_PUT(CLI_TEXT, known)),
    CLI_ROW("json", NULL, "print one JSON line per event on standard output",
            CLI_PUT(CLI_FLAG, sched.is_json)),
    CLI_QUIET(is_quiet),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_run_help = {
    "run", "[OPTION]... [FOLDER]",
    "Run a campaign: execute random cases on every target and judge every result.",
    "Examples:\n"
    "  halfulp run --for 10m -o first\n"
    "  halfulp run --targets lavapipe,intel-cpu --profile atomics --cases 2000 --seed 7\n"
    "  halfulp run --resume first\n"
    "\n"
    "The targets sim-any and sim-ieee are simulated devices, which must never show a finding. "
    "With\n"
    "--unadvertised, cases that need features that the device does not report do not change the "
    "exit status.\n"
    "Exit status: 0 nothing found; 1 findings; 2 wrong usage; 3 nothing could be run; 4 some "
    "results could\n"
    "not be judged: a signal stopped the shard (--resume continues it).\n",
    option_rows};

/* Of a campaign without an end in cases: one of fixed cases is to be the same each time, and what is
 * mutated depends on who was faster. */
enum {
    MUTATE_DEFAULT = 50
};
#define NOT_SEEN_FILE    "not-seen.tsv"
#define DISK_CAP_DEFAULT (UINT64_C(2) << 30)
#define RUN_ARENA_BYTES  ((size_t)256 << 20)

/* What the scheduler is to do in the campaign that is open; noted in the journal for whoever goes on with
 * it. */
static enum res plan(struct options *opt, struct journal *j, struct arena *a, struct err *e)
{
    const struct campaign_options *c = &opt->campaign;
    struct sched_options *o = &opt->sched;
    o->profile = c->profile;
    o->seed = c->seed;
    o->shard = c->shard;
    o->max_cases = c->max_cases;
    o->max_ns = c->max_ns;
    o->exports = o->source ? NULL : arena_printf(a, "%s/corpus", c->folder);
    if (!opt->has_mutate && c->is_resume) {
        const char *const note = journal_get_note(j, "mutate_percent", a);
        o->mutate_percent = (uint32_t)strtoul(note, NULL, 10);
    } else if (!opt->has_mutate) {
        o->mutate_percent = c->has_cases || o->source ? 0 : MUTATE_DEFAULT;
    }
    journal_set_disk_cap(j, opt->disk_cap);
    const char *const note = arena_printf(a, "%" PRIu32, o->mutate_percent);
    TRY(opt->known ? known_campaign_note(j, opt->known, a, e) : RES_OK);
    return journal_put_note(j, "mutate_percent", note, e);
}

static bool is_about_any(const struct expected_failure *row, const struct campaign *c)
{
    bool is_it = false;
    for (uint32_t i = 0; i < c->n_targets && !is_it; i++) {
        is_it = expected_failures_is_about(row, c->targets[i].name, c->targets[i].facts);
    }
    return is_it;
}

/* How many bugs the list has and how many are new; then its rows that have ended and were still seen. The rows of the
 * campaign's targets that were not seen are a number here, and lines of a file of the campaign. */
static void print_known(const struct expected_failures *k, const struct campaign *c, FILE *f,
                        struct arena *a)
{
    struct campaign_bugs const bugs = campaign_count_bugs(c);
    const char *const path = arena_printf(a, "%s/" NOT_SEEN_FILE, c->folder);
    uint32_t n_unseen = 0;
    struct err ignored; /* the list is a help: a campaign does not fail by it */
    struct bytes unseen;
    bytes_init(&unseen, a);
    printable_print(f, "%" PRIu32 " known, %" PRIu32 " new, by %s\n", bugs.n_known, bugs.n_new,
                    k->path);
    for (uint32_t i = 0; i < k->n; i++) {
        const struct expected_failure *const row = &k->rows[i];
        if (row->is_expired && row->n_seen) {
            printable_print(f, "expired on %s: %s: %s\n", row->expires, row->targets,
                            row->signature);
        }
        if (!row->n_seen && is_about_any(row, c)) {
            const char *const line =
                arena_printf(a, "%s\t%s\t%s\n", row->targets, row->signature, row->note);
            n_unseen++;
            bytes_put(&unseen, line, strlen(line));
        }
    }
    bool const is_written = unseen.ok && file_write(path, unseen.p, unseen.n, &ignored) == RES_OK;
    if (n_unseen) {
        printable_print(f, "%" PRIu32 " rows of the list matched no finding%s%s\n", n_unseen,
                        is_written ? ": " : "", is_written ? path : "");
    }
}

/* The tapes that are kept (features: cells of the map that were set). */
static void print_corpus(const struct campaign *c, const struct sched_summary *s, FILE *f)
{
    printable_print(f,
                    "corpus: %" PRIu32 " tapes that show %" PRIu32
                    " features, in %s/corpus; made by changing one: %" PRIu64
                    " cases, taken from --corpus: %" PRIu64 "\n",
                    s->corpus.n_tapes, s->corpus.n_cells, c->folder, s->corpus.n_mutated,
                    s->corpus.n_imported);
    if (s->corpus.n_bad_files) {
        printable_print(f, "%" PRIu64 " files are not tapes of this generator version\n",
                        s->corpus.n_bad_files);
    }
}

/* Print what the campaign came to: its findings, the corpus or the kernels that were not run, and how much of the CPU
 * time went to the program itself instead of the drivers. */
static void print_summary(const struct options *opt, const struct campaign *c,
                          const struct sched_summary *s, FILE *f)
{
    campaign_print(c, f);
    if (opt->sched.source) {
        modules_print_refused(opt->sched.source->of, f);
    } else {
        print_corpus(c, s, f);
    }
    if (s->n_dead) {
        printable_print(f, "%" PRIu32 " of %" PRIu32 " targets did not start or failed too often\n",
                        s->n_dead, c->n_targets);
    }
    uint64_t const cpu_ns = c->harness_cpu_ns + c->worker_cpu_ns;
    printable_print(f, "%.1f s%s; halfulp itself used %.1f%% of the CPU time\n",
                    (double)s->wall_ns / 1e9, s->was_stopped ? ", stopped by a signal" : "",
                    cpu_ns ? 100.0 * (double)c->harness_cpu_ns / (double)cpu_ns : 0.0);
}

/* Print what the campaign came to, and give the exit status. With --known only a violation that this list of
 * expected failures does not have is a finding, and a campaign that judged nothing has failed. */
static enum cli_status conclude(const struct options *opt, const struct expected_failures *known,
                                const struct campaign *c, const struct sched_summary *s,
                                struct arena *a)
{
    FILE *f = opt->sched.is_json ? stderr : stdout;
    struct campaign_sums const sums = campaign_sum(c);
    if (!opt->is_quiet || !opt->sched.is_json) {
        print_summary(opt, c, s, f);
        if (opt->known) {
            print_known(known, c, f, a);
        }
        cli_print_next(opt->c, c, s->was_stopped, f);
    }
    enum cli_status const status =
        cli_conclude(&cmd_run_help, &opt->campaign, &sums, s->was_stopped);
    if (status == STATUS_HARNESS || status == STATUS_INCOMPLETE || !opt->known) {
        return status;
    }
    if (sums.n_judged == 0) {
        (void)cli_complain(&cmd_run_help, "no case was judged");
        return STATUS_HARNESS;
    }
    return campaign_count_bugs(c).n_new ? STATUS_FINDINGS : STATUS_OK;
}

/* What is expected, before anything that takes time. */
static enum res read_known(const struct options *opt, struct expected_failures *known,
                           struct arena *a, struct err *e)
{
    char today[EXPECTED_DATE_BYTES];
    *known = (struct expected_failures){.n = 0};
    if (!opt->known) {
        return RES_OK;
    }
    expected_failures_get_today(today);
    enum res const r = expected_failures_read(known, opt->known, today, a, e);
    return r == RES_IO ? e->code = RES_USAGE : r; /* the user named it */
}

/* In the campaign that is open. */
static enum res run_campaign(struct options *opt, struct expected_failures *known,
                             struct journal *j, enum cli_status *status, struct arena *a,
                             struct err *e)
{
    struct sched_summary summary;
    struct campaign campaign;
    struct progress progress;
    TRY(plan(opt, j, a, e));
    progress_open(&progress, stderr);
    opt->sched.progress = opt->is_quiet ? NULL : &progress;
    opt->sched.known = opt->known ? known : NULL;
    enum res const r = sched_run(&opt->sched, j, &summary, e);
    progress_clear(&progress);
    TRY(r);
    TRY(journal_load(j, a, &campaign, e));
    TRY(opt->known ? expected_failures_mark(known, &campaign, a, e) : RES_OK);
    TRY(cmd_report_describe(j, &campaign, a, e));
    cli_keep_options(opt->c, &campaign, a);
    *status = conclude(opt, known, &campaign, &summary, a);
    return cli_report_campaign(&campaign, *status, opt->sched.is_json, a, e);
}

/* Options that say of what cases are made fit to one kind of case alone. */
static enum res check_words(const struct options *opt, struct err *e)
{
    const char *const other = opt->campaign.has_profile ? "--profile"
                              : opt->has_mutate         ? "--mutate"
                              : opt->sched.import       ? "--corpus"
                                                        : NULL;
    if (opt->modules && other) {
        return err_set(e, RES_USAGE,
                       "%s applies to generated cases only; --corpus-modules runs kernels", other);
    }
    if (opt->compiler_options && (!opt->modules || opt->campaign.is_resume)) {
        return err_set(e, RES_USAGE, "--options needs --corpus-modules and a new campaign");
    }
    return RES_OK;
}

/* The campaign, and the folder of its kernels if its cases are of one. The folder is opened first where the campaign is to be
 * begun, for its plan; and then where it goes on, as its plan says. */
static enum res open_all(struct options *opt, struct modules **m, struct journal **j,
                         struct arena *a, struct err *e)
{
    struct campaign_options *const c = &opt->campaign;
    if (opt->modules && !c->is_resume) {
        TRY(modules_open(m, opt->modules, opt->compiler_options ? opt->compiler_options : "", e));
        c->modules = cli_plan_modules(*m);
        c->profile = PROFILE_PROGRAMS;
    }
    TRY(cli_open_campaign(c, &opt->sched.targets, a, j, e));
    if (c->is_resume) {
        TRY(cli_reopen_modules(c->folder, &c->modules, opt->modules, m, e));
    }
    return RES_OK;
}

static enum res work(struct options *opt, struct arena *a, enum cli_status *status, struct err *e)
{
    struct journal *j = NULL;
    struct modules *m = NULL;
    struct expected_failures known;
    TRY(check_words(opt, e));
    TRY(read_known(opt, &known, a, e));
    enum res r = open_all(opt, &m, &j, a, e);
    if (r == RES_OK && opt->campaign.is_resume && !opt->known) {
        opt->known = known_campaign_get_note(j, a);
        r = read_known(opt, &known, a, e);
    }
    struct case_source source;
    if (r == RES_OK && m) {
        source = modules_get_source(m, opt->campaign.seed, opt->is_trusted != 0);
        opt->sched.source = &source;
        modules_print(m, opt->sched.is_json ? stderr : stdout);
    }
    if (r == RES_OK) {
        r = run_campaign(opt, &known, j, status, a, e);
        cli_keep_campaign(&opt->campaign, j, a);
    }
    journal_close(j);
    modules_close(m);
    return r;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *opt = options;
    struct err e = {RES_OK, ""};
    enum cli_status status = STATUS_OK;
    if (!cli_take_folder(c, &opt->campaign.folder)) {
        return c->status;
    }
    opt->campaign.made = &c->made;
    opt->c = c;
    return work(opt, a, &status, &e) == RES_OK ? status : cli_fail(c->command, &e);
}

static const struct options defaults = {
    .campaign = {.profile = PROFILE_ALL, .prefix = "halfulp-run"},
    .sched = {.n_workers = 1                     },
    .disk_cap = DISK_CAP_DEFAULT
};
const struct cli_entry cmd_run = {&cmd_run_help, &defaults, sizeof defaults, RUN_ARENA_BYTES, run};
