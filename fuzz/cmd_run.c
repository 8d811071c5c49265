/* fuzz/cmd_run.c -- halfulp run: a campaign. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/bundle.h"
#include "fuzz/cmd.h"
#include "fuzz/json.h"
#include "fuzz/known.h"
#include "fuzz/sched.h"
#include "oracle/mp.h"

enum {
    OPT_FOR,
    OPT_CASES,
    OPT_TARGETS,
    OPT_INI,
    OPT_PROFILE,
    OPT_SEED,
    OPT_OUTPUT,
    OPT_RESUME,
    OPT_WORKERS,
    OPT_UNADVERTISED,
    OPT_DISK_CAP,
    OPT_KNOWN,
    OPT_JSON,
    OPT_QUIET
};

static const struct cli_option options[] = {
    {"for",          "TIME",   "run for so long: 60s, 10m, 8h (default: until Ctrl-C)",           0  },
    {"cases",        "N",      "run N cases on each target",                                      0  },
    {"targets",      "LIST",   "names with commas between (default: all that are here)",          0  },
    {"targets-file", "FILE",   "your targets (default: targets.ini if it is there)",              0  },
    {"profile",      "NAME",   "atomics, groups, arith or all, which takes turns (default: all)", 0  },
    {"seed",         "N",      "of all cases (default: from the clock)",                          0  },
    {"output",       "FOLDER", "the campaign's folder (default: halfulp-run-SEED)",               'o'},
    {"resume",       NULL,     "go on with the campaign in that folder",                          0  },
    {"workers",      "N",      "workers per target (default: 1)",                                 0  },
    {"unadvertised", NULL,     "run also what a driver does not list, counted apart",             0  },
    {"disk-cap",     "SIZE",   "beyond it ok cases leave only counts (default: 2G)",              0  },
    {"known",        "FILE",   "findings listed there are expected: known.tsv",                   0  },
    {"json",         NULL,     "one JSON line per event on standard output",                      0  },
    {"quiet",        NULL,     "no progress on standard error",                                   'q'},
    {NULL,           NULL,     NULL,                                                              0  },
};
const struct cli_command cmd_run_help = {
    "run", "[OPTION]... [FOLDER]",
    "Run a campaign: random cases on every target, every result judged.",
    "Targets sim-any and sim-ieee run inside the program and must never show a finding.\n"
    "What comes of cases that a driver does not list (--unadvertised) is counted apart and does "
    "not\n"
    "change the exit status.\n"
    "Exit status: 0 nothing found, 1 findings, 2 wrong usage, 3 nothing could be run.\n",
    options};

#define DISK_CAP_DEFAULT (UINT64_C(2) << 30)
#define RUN_ARENA_BYTES  ((size_t)256 << 20)

/* What the command line said. */
struct words {
    struct sched_options sched;
    const char *targets, *ini, *folder, *known;
    uint64_t disk_cap;
    int has_seed, has_cases, has_for, has_profile, is_resume;
};

static int take_option(struct cli *c, int option, struct words *w)
{
    uint64_t n = 0;
    switch (option) {
    case OPT_FOR:
        w->has_for = 1;
        return cli_duration(c, option, &w->sched.max_ns);
    case OPT_CASES:
        w->has_cases = 1;
        return cli_number(c, option, 1, INT64_MAX, &w->sched.max_cases);
    case OPT_TARGETS:
        w->targets = c->value;
        return 1;
    case OPT_INI:
        w->ini = c->value;
        return 1;
    case OPT_PROFILE:
        w->has_profile = 1;
        return cli_profile(c, option, &w->sched.profile);
    case OPT_SEED:
        w->has_seed = 1;
        return cli_number(c, option, 0, UINT64_MAX, &w->sched.seed);
    case OPT_OUTPUT:
        w->folder = c->value;
        return 1;
    case OPT_RESUME:
        w->is_resume = 1;
        return 1;
    case OPT_WORKERS:
        if (!cli_number(c, option, 1, SCHED_MAX_WORKERS, &n)) {
            return 0;
        }
        w->sched.n_workers = (uint32_t)n;
        return 1;
    case OPT_UNADVERTISED:
        w->sched.unadvertised = 1;
        return 1;
    case OPT_DISK_CAP:
        return cli_size(c, option, &w->disk_cap);
    case OPT_KNOWN:
        w->known = c->value;
        return 1;
    case OPT_JSON:
        w->sched.is_json = 1;
        return 1;
    default: /* OPT_QUIET: cli_next knows no other row */
        w->sched.is_quiet = 1;
        return 1;
    }
}

/* CLI_END: go on. */
static int read_words(int argc, char **argv, struct words *w)
{
    struct cli c = {.command = &cmd_run_help, .argc = argc, .argv = argv};
    int option = 0;
    while ((option = cli_next(&c)) >= 0) {
        if (!take_option(&c, option, w)) {
            return CLI_BAD;
        }
    }
    if (option == CLI_END && c.first_word < argc) {
        if (w->folder || c.first_word + 1 < argc) {
            (void)cli_complain(&cmd_run_help, "\"%s\": one folder is enough", argv[argc - 1]);
            return CLI_BAD;
        }
        w->folder = argv[c.first_word];
    }
    return option;
}

/* The plan in the journal stands, but for what the command line says anew. */
static enum res take_plan(struct words *w, struct journal *j, struct arena *a, struct err *e)
{
    struct campaign_plan plan;
    uint64_t wall_ns = 0;
    enum res r = journal_get_plan(j, a, &plan, e);
    r = r == RES_OK ? journal_sum_wall(j, &wall_ns, e) : r;
    if (r != RES_OK) {
        return r;
    }
    int const profile = profile_find(plan.profile);
    if (profile < 0 || plan.gen_version != GEN_VERSION) {
        return err_set(e, RES_FORMAT,
                       "%s: made with profile \"%.40s\" of generator %" PRIu32
                       ", this program has generator %d",
                       w->folder, plan.profile, plan.gen_version, GEN_VERSION);
    }
    if ((w->has_seed && w->sched.seed != plan.seed) ||
        (w->has_profile && w->sched.profile != (enum profile)profile)) {
        return err_set(e, RES_USAGE, "%s: its campaign has seed %" PRIu64 " and profile %s",
                       w->folder, plan.seed, plan.profile);
    }
    w->sched.seed = plan.seed;
    w->sched.profile = (enum profile)profile;
    w->targets = w->targets ? w->targets : plan.targets;
    if (!w->has_cases) {
        w->sched.max_cases = plan.max_cases;
    }
    if (!w->has_for && plan.max_ns) {
        /* 1 ns when the time is over already: only what is held open is closed */
        w->sched.max_ns = plan.max_ns > wall_ns ? plan.max_ns - wall_ns : 1;
    }
    return RES_OK;
}

static enum res choose_targets(struct words *w, struct target_list *list, struct arena *a,
                               struct err *e)
{
    struct target_list *found = ARENA_NEW(a, struct target_list, 1);
    if (!found) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    enum res r = targets_find(found, w->ini, a, e);
    if (r != RES_OK) {
        return r;
    }
    r = targets_select(found, w->targets, list, a, e);
    if (r == RES_OK && list->n == 0) {
        r = err_set(e, RES_IO, "no driver is here: \"halfulp devices\" says how to get some");
    }
    w->sched.targets = list;
    return r;
}

static const char *join_names(const struct target_list *list, struct arena *a)
{
    const char *names = "";
    for (uint32_t i = 0; i < list->n; i++) {
        names = arena_printf(a, "%s%s%s", names, i ? " " : "", list->t[i].name);
    }
    return names;
}

/* Open or resume; the targets are chosen on the way, as a resumed campaign names its own. */
static enum res open_campaign(struct words *w, struct target_list *list, struct arena *a,
                              struct journal **j, struct err *e)
{
    enum res r = RES_OK;
    const char *path = arena_printf(a, "%s/journal.sqlite", w->folder ? w->folder : "");
    if (w->is_resume) {
        if (!w->folder) {
            return err_set(e, RES_USAGE, "--resume: which folder? give it with -o");
        }
        if (access(path, F_OK) != 0) {
            return err_set(e, RES_USAGE, "%s: %s", path, strerror(errno));
        }
        r = journal_open(j, w->folder, NULL, e);
        r = r == RES_OK ? take_plan(w, *j, a, e) : r;
        return r == RES_OK ? choose_targets(w, list, a, e) : r;
    }
    if (!w->has_seed) {
        struct timespec t = {0, 0};
        (void)clock_gettime(CLOCK_REALTIME, &t);
        w->sched.seed = (uint64_t)t.tv_sec;
    }
    if (!w->folder) {
        w->folder = arena_printf(a, "halfulp-run-%" PRIu64, w->sched.seed);
        path = arena_printf(a, "%s/journal.sqlite", w->folder);
    }
    if (access(path, F_OK) == 0) {
        return err_set(e, RES_USAGE, "%s: holds a campaign already; --resume goes on with it",
                       w->folder);
    }
    r = choose_targets(w, list, a, e);
    r = r == RES_OK ? bundle_make_folder(w->folder, e) : r;
    struct campaign_plan const plan = {.profile = profile_names[w->sched.profile],
                                       .seed = w->sched.seed,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = w->sched.max_cases,
                                       .max_ns = w->sched.max_ns,
                                       .targets = join_names(list, a)};
    return r == RES_OK ? journal_open(j, w->folder, &plan, e) : r;
}

/* Each violation as expected or not; how many are not. */
static uint32_t compare_known(struct known *k, const struct campaign *c, FILE *f)
{
    uint32_t n_unlisted = 0;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *found = &c->findings[i];
        const struct campaign_target *t = campaign_find_target(c, found->target_id);
        if (!t || !campaign_is_violation(found)) {
            continue;
        }
        const struct known_row *row =
            known_find(k, t->name, t->facts, found->signature, found->clause);
        n_unlisted += !row;
        (void)fprintf(f, "%s: %s: %s (%" PRIu64 " times)%s%s\n", row ? "expected" : "NOT LISTED",
                      t->name, found->signature, found->n_in_bucket, row ? ": " : "",
                      row ? row->note : "");
    }
    for (uint32_t i = 0; i < k->n; i++) {
        if (k->rows[i].is_expired && k->rows[i].n_seen) {
            (void)fprintf(f, "listed until %s: %s: %s\n", k->rows[i].expires, k->rows[i].target,
                          k->rows[i].signature);
        }
        for (uint32_t t = 0; t < c->n_targets && !k->rows[i].n_seen; t++) {
            if (strcmp(k->rows[i].target, c->targets[t].name) == 0 &&
                (k->rows[i].version[0] == '*' || strstr(c->targets[t].facts, k->rows[i].version))) {
                (void)fprintf(f, "listed, not seen: %s: %s\n", k->rows[i].target,
                              k->rows[i].signature);
            }
        }
    }
    return n_unlisted;
}

static void print_features(const struct campaign *c, FILE *f)
{
    for (uint32_t i = 0; i < c->n_features; i++) {
        const struct campaign_feature *x = &c->features[i];
        const struct campaign_target *t = campaign_find_target(c, x->target_id);
        (void)fprintf(f,
                      "%s  %s does not list %s: accepted %" PRIu64 ", rejected %" PRIu64
                      ", crashed %" PRIu64 ", wrong value %" PRIu64 "\n",
                      i ? "" : "not listed:\n", t ? t->name : "?", x->feature, x->n_accepted,
                      x->n_rejected, x->n_crashed, x->n_wrong);
    }
}

static void print_summary(const struct campaign *c, const struct sched_summary *s, FILE *f)
{
    (void)fprintf(f, "%-14s %10s %10s %12s %9s %8s\n", "target", "cases", "skipped", "judged",
                  "findings", "cases/s");
    for (uint32_t i = 0; i < c->n_targets; i++) {
        const struct campaign_target *t = &c->targets[i];
        uint64_t n_found = 0;
        for (int v = 0; v < VERDICT_N; v++) {
            n_found += verdict_rows[v].part == PART_VIOLATION ? t->n_verdict[v] : 0;
        }
        (void)fprintf(f, "%-14s %10" PRIu64 " %10" PRIu64 " %12" PRIu64 " %9" PRIu64 " %8.1f\n",
                      t->name, t->n_runs, t->n_skipped, t->n_judged, n_found, t->cases_per_s);
    }
    int has_title = 0;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *found = &c->findings[i];
        const struct campaign_target *t = campaign_find_target(c, found->target_id);
        if (!t || !campaign_is_violation(found)) {
            continue;
        }
        (void)fprintf(f, "%s  %s: %s, %" PRIu64 " times; %s\n", has_title ? "" : "findings:\n",
                      t->name, found->signature, found->n_in_bucket, found->replay);
        has_title = 1;
    }
    print_features(c, f);
    if (s->n_dead) {
        (void)fprintf(f, "%" PRIu32 " of %" PRIu32 " targets did not start or were given up\n",
                      s->n_dead, c->n_targets);
    }
    uint64_t const cpu_ns = c->harness_cpu_ns + c->worker_cpu_ns;
    (void)fprintf(f, "%.1f s%s, own share of the CPU time %.1f%%\n", (double)s->wall_ns / 1e9,
                  s->was_stopped ? ", stopped by a signal" : "",
                  cpu_ns ? 100.0 * (double)c->harness_cpu_ns / (double)cpu_ns : 0.0);
}

static enum cli_status conclude(const struct words *w, struct known *known,
                                const struct campaign *c, const struct sched_summary *s)
{
    FILE *f = w->sched.is_json ? stderr : stdout;
    uint64_t n_found = 0;
    uint64_t n_runs = 0;
    uint64_t n_judged = 0;
    for (uint32_t i = 0; i < c->n_targets; i++) {
        n_runs += c->targets[i].n_runs;
        n_judged += c->targets[i].n_judged;
        for (int v = 0; v < VERDICT_N; v++) {
            n_found += verdict_rows[v].part == PART_VIOLATION ? c->targets[i].n_verdict[v] : 0;
        }
    }
    if (!w->sched.is_quiet || !w->sched.is_json) {
        print_summary(c, s, f);
    }
    if (n_runs == 0 && !s->was_stopped) {
        (void)cli_complain(&cmd_run_help, "no case was run");
        return STATUS_HARNESS;
    }
    if (w->known) {
        uint32_t const n_unlisted = compare_known(known, c, f);
        if (n_judged == 0) {
            (void)cli_complain(&cmd_run_help, "no case was judged");
            return STATUS_HARNESS;
        }
        return n_unlisted ? STATUS_FINDINGS : STATUS_OK;
    }
    return n_found ? STATUS_FINDINGS : STATUS_OK;
}

static enum res work(struct words *w, struct arena *a, struct cmd_result *out, struct err *e)
{
    struct journal *j = NULL;
    struct known known = {.n = 0};
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct sched_summary summary;
    struct campaign campaign;
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    char today[KNOWN_DATE_BYTES];
    known_get_today(today);
    enum res r = w->known ? known_read(&known, w->known, today, a, e) : RES_OK;
    if (r == RES_IO) {
        return err_set(e, RES_USAGE, "%s: cannot be read", w->known);
    }
    r = r == RES_OK ? open_campaign(w, list, a, &j, e) : r;
    r = r == RES_OK ? journal_put_note(j, "mpfr_version", mp_get_version(), e) : r;
    if (r == RES_OK) {
        journal_set_disk_cap(j, w->disk_cap);
        r = sched_run(&w->sched, j, &summary, e);
        r = r == RES_OK ? journal_load(j, a, &campaign, e) : r;
    }
    if (r == RES_OK) {
        out->status = conclude(w, &known, &campaign, &summary);
        (void)snprintf(out->folder, sizeof(out->folder), "%s", w->folder);
    }
    journal_close(j);
    return r;
}

struct cmd_result cmd_run(int argc, char **argv)
{
    struct cmd_result out = {.status = STATUS_OK, .folder = ""};
    struct words w = {
        .sched = {.profile = PROFILE_ALL, .n_workers = 1},
          .disk_cap = DISK_CAP_DEFAULT
    };
    int const end = read_words(argc, argv, &w);
    if (end != CLI_END) {
        out.status = end == CLI_HELP ? STATUS_OK : STATUS_USAGE;
        return out;
    }
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, RUN_ARENA_BYTES);
    out.is_json = w.sched.is_json;
    if (work(&w, &a, &out, &e) != RES_OK) {
        out.status = cli_fail(&cmd_run_help, &e);
    }
    arena_free(&a);
    return out;
}
