/* fuzz/cli/cmd_fuzz.c -- halfulp fuzz: a guided campaign. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "base/printable.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/seeds.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_campaign.h"
#include "fuzz/cli/cmd_report.h"
#include "fuzz/guided/fleet.h"
#include "fuzz/guided/guided.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/process/place.h"
#include "fuzz/process/progress.h"
#include "gen/tape/profile.h"

struct options {
    const struct cli *c;
    struct campaign_options campaign;
    struct fleet_options fleet;
    const char *corpus;
    int is_quiet;
};

static const struct cli_option option_rows[] = {
    CLI_CAMPAIGN("seed of the mutations (default: from the clock)",
                 "the campaign's folder (default: halfulp-fuzz-SEED)"),
    CLI_ROW("jobs", "N", "number of AFL++ instances (default: one per target)",
            CLI_PUT(CLI_U32, fleet.n_jobs), CLI_WITHIN(1, GUIDED_MAX_INSTANCES), .letter = 'j'),
    CLI_ROW("corpus", "FOLDER",
            "folder with the tapes to start from (default: corpora/seeds/PROFILE)",
            CLI_PUT(CLI_TEXT, corpus)),
    CLI_ROW("stop-at-first", NULL, "stop at the first finding",
            CLI_PUT(CLI_FLAG, fleet.stop_at_first)),
    CLI_ROW(
        "unadvertised", NULL,
        "also test features that the device does not report; halfulp counts these cases separately",
        CLI_PUT(CLI_FLAG, fleet.unadvertised)),
    CLI_QUIET(is_quiet),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_fuzz_help = {
    "fuzz", "[OPTION]... [FOLDER]",
    "Run a guided campaign: AFL++ mutates cases towards behaviour that no earlier case showed.",
    "The inputs are tapes, such as those that \"halfulp gen\" writes. AFL++ keeps an input if the "
    "judge\n"
    "observes something new. This is an instruction, type, storage class, mask, operand class or "
    "outcome that\n"
    "no earlier input had, or an error closer to its bound. If the driver is instrumented (make\n"
    "instrumented), AFL++ also keeps an input that executes new code of the driver.\n"
    "Exit status: 0 nothing found; 1 findings; 2 wrong usage; 3 nothing could be run; 4 some "
    "results could\n"
    "not be judged: a signal stopped the shard (--resume continues it).\n",
    option_rows};

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

static int is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Make the seeds in the campaign's folder, from the tapes of --corpus, else from those that come with the
 * program for the profile. A campaign that is gone on with keeps the seeds that it has, unless --corpus asks
 * for others. */
static enum res put_seeds(const struct options *opt, struct arena *a, struct err *e)
{
    const struct campaign_options *c = &opt->campaign;
    const char *const usual =
        place_find_beside(arena_printf(a, "corpora/seeds/%s", profile_names[c->profile]), a);
    struct seeds_options const o = {.folder = c->folder,
                                    .corpus = opt->corpus ? opt->corpus : usual,
                                    .profile = c->profile,
                                    .seed = c->seed};
    struct seeds_figures figures;
    if (c->is_resume && is_folder(arena_printf(a, "%s/seeds", c->folder)) && !opt->corpus) {
        return RES_OK;
    }
    enum res const r = seeds_make(&o, &figures, e);
    if (r == RES_OK && !opt->is_quiet) {
        printable_print(stderr, "seeds: %" PRIu32 " tapes of %s, %" PRIu32 " random ones\n",
                        figures.n_taken, o.corpus ? o.corpus : "no folder", figures.n_random);
    }
    if (r == RES_OK && opt->corpus && figures.n_unfit) {
        printable_print(
            stderr, "%s: %" PRIu32 " files are not tapes of this generator version and profile\n",
            opt->corpus, figures.n_unfit);
    }
    return r;
}

/* Print what the campaign came to: its findings, the counts of the session, and how the CPU time went to
 * AFL++, the drivers and the program itself. Counts of what went wrong are shown only where there are any. */
static void print_summary(const struct campaign *c, const struct fleet_summary *s, FILE *f)
{
    campaign_print(c, f);
    printable_print(f,
                    "%" PRIu64 " executions on %" PRIu32 " instances; %" PRIu64 " cells, %" PRIu64
                    " inputs kept in %s/afl\n",
                    s->n_executions, s->n_instances, s->n_cells, s->n_queue, c->folder);
    if (s->n_built) {
        printable_print(f, "%" PRIu64 " of them only built a case, and reached nothing new\n",
                        s->n_built);
    }
    if (s->n_bad) {
        printable_print(f, "%" PRIu64 " inputs were not tapes\n", s->n_bad);
    }
    if (s->n_trouble) {
        printable_print(f, "%" PRIu64 " errors of the harness; see the logs in %s/instances\n",
                        s->n_trouble, c->folder);
    }
    if (s->n_dead) {
        printable_print(f,
                        "%" PRIu32 " of %" PRIu32 " instances did not start or failed too often\n",
                        s->n_dead, s->n_instances);
    }
    uint64_t const cpu_ns = s->harness_cpu_ns + s->worker_cpu_ns + s->afl_cpu_ns;
    printable_print(f, "%.1f s%s; %.1f s of CPU time, of that AFL++ %.1f%%, drivers %.1f%%\n",
                    (double)s->wall_ns / 1e9, s->was_stopped ? ", stopped by a signal" : "",
                    (double)cpu_ns / 1e9,
                    cpu_ns ? 100.0 * (double)s->afl_cpu_ns / (double)cpu_ns : 0.0,
                    cpu_ns ? 100.0 * (double)s->worker_cpu_ns / (double)cpu_ns : 0.0);
}

/* Run the fleet, which is AFL++'s instances, in the campaign whose journal is open: make the seeds, fuzz, and
 * print the summary. *status: what the findings come to. */
static enum res run_campaign(struct options *opt, const struct fleet_programs *programs,
                             struct journal *j, enum cli_status *status, struct arena *a,
                             struct err *e)
{
    const struct campaign_options *c = &opt->campaign;
    struct fleet_options *o = &opt->fleet;
    struct fleet_summary summary;
    struct campaign campaign;
    struct progress progress;
    TRY(put_seeds(opt, a, e));
    o->folder = c->folder;
    o->ini = c->ini;
    o->profile = c->profile;
    o->seed = c->seed;
    o->shard = c->shard;
    o->max_cases = c->max_cases;
    if (c->max_cases && c->shard.n) { /* they are of the whole campaign; 0 would be no limit */
        uint64_t const n = shard_count(c->shard, c->max_cases);
        o->max_cases = n ? n : 1;
    }
    o->max_ns = c->max_ns;
    progress_open(&progress, stderr);
    o->progress = opt->is_quiet ? NULL : &progress;
    enum res const r = fleet_run(o, programs, j, &summary, e);
    progress_clear(&progress);
    TRY(r);
    TRY(journal_load(j, a, &campaign, e));
    TRY(cmd_report_describe(j, &campaign, a, e));
    cli_keep_options(opt->c, &campaign, a);
    struct campaign_sums const sums = campaign_sum(&campaign);
    print_summary(&campaign, &summary, stdout);
    cli_print_next(opt->c, &campaign, summary.was_stopped, stdout);
    *status = cli_conclude(&cmd_fuzz_help, c, &sums, summary.was_stopped);
    return cli_report_campaign(&campaign, *status, false, a, e); /* text, no JSON */
}

static enum res work(struct options *opt, struct arena *a, enum cli_status *status, struct err *e)
{
    struct journal *j = NULL;
    struct fleet_programs programs;
    TRY(fleet_find_programs(&programs, a, e));
    enum res r = cli_open_campaign(&opt->campaign, &opt->fleet.targets, a, &j, e);
    if (r == RES_OK) {
        r = run_campaign(opt, &programs, j, status, a, e);
        cli_keep_campaign(&opt->campaign, j, a);
    }
    journal_close(j);
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
    .campaign = {.profile = PROFILE_ALL, .prefix = "halfulp-fuzz"}
};
const struct cli_entry cmd_fuzz = {&cmd_fuzz_help, &defaults, sizeof defaults, FUZZ_ARENA_BYTES,
                                   run};
