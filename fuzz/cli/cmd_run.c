/* fuzz/cli/cmd_run.c -- halfulp run: a campaign. */
#include "fuzz/cli/cmd_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/io/json.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/triage/expected_failures.h"
#include "oracle/num/mp.h"

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
    OPT_MUTATE,
    OPT_CORPUS,
    OPT_DISK_CAP,
    OPT_KNOWN,
    OPT_JSON,
    OPT_QUIET
};

static const struct cli_option options[] = {
    {"for",          "TIME",    "run for so long: 60s, 10m, 8h (default: until Ctrl-C)",             0  },
    {"cases",        "N",       "run N cases on each target",                                        0  },
    {"targets",      "LIST",    "names with commas between (default: all that are here)",            0  },
    CLI_TARGETS_FILE,
    {"profile",      "NAME",    "atomics, groups, arith, maxerror or all (default: all)",            0  },
    {"seed",         "N",       "of all cases (default: from the clock)",                            0  },
    {"output",       "FOLDER",  "the campaign's folder (default: halfulp-run-SEED)",                 'o'},
    {"resume",       NULL,      "go on with the campaign in that folder",                            0  },
    {"workers",      "N",       "workers per target (default: 1)",                                   0  },
    {"unadvertised", NULL,      "run also what a driver does not list, counted apart",               0  },
    {"mutate",       "PERCENT", "of the cases are made of kept tapes (default: 50; with --cases 0)", 0  },
    {"corpus",       "FOLDER",  "begin with the tapes there, and take what is added",                0  },
    {"disk-cap",     "SIZE",    "beyond it ok cases leave only counts (default: 2G)",                0  },
    {"known",        "FILE",    "findings listed there are expected: known.tsv",                     0  },
    {"json",         NULL,      "one JSON line per event on standard output",                        0  },
    {"quiet",        NULL,      "no progress on standard error",                                     'q'},
    CLI_SANDBOX,
    {NULL,           NULL,      NULL,                                                                0  },
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

/* Of a campaign without an end in cases: one of fixed cases is to be the same each time, and what is
 * mutated depends on who was faster. */
enum {
    MUTATE_DEFAULT = 50
};
#define DISK_CAP_DEFAULT (UINT64_C(2) << 30)
#define RUN_ARENA_BYTES  ((size_t)256 << 20)

/* What the command line said. */
struct words {
    struct campaign_words campaign;
    struct sched_options sched;
    const char *known;
    uint64_t disk_cap;
    int has_mutate;
};

static int take_option(struct cli *c, int option, struct words *w)
{
    uint64_t n = 0;
    switch (option) {
    case OPT_FOR:
        w->campaign.has_for = 1;
        return cli_duration(c, option, &w->campaign.max_ns);
    case OPT_CASES:
        w->campaign.has_cases = 1;
        return cli_number(c, option, 1, INT64_MAX, &w->campaign.max_cases);
    case OPT_TARGETS:
        w->campaign.targets = c->value;
        return 1;
    case OPT_INI:
        w->campaign.ini = c->value;
        return 1;
    case OPT_PROFILE:
        w->campaign.has_profile = 1;
        return cli_profile(c, option, &w->campaign.profile);
    case OPT_SEED:
        w->campaign.has_seed = 1;
        return cli_number(c, option, 0, UINT64_MAX, &w->campaign.seed);
    case OPT_OUTPUT:
        w->campaign.folder = c->value;
        return 1;
    case OPT_RESUME:
        w->campaign.is_resume = 1;
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
    case OPT_MUTATE:
        if (!cli_number(c, option, 0, 100, &n)) {
            return 0;
        }
        w->has_mutate = 1;
        w->sched.mutate_percent = (uint32_t)n;
        return 1;
    case OPT_CORPUS:
        w->sched.import = c->value;
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
        if (w->campaign.folder || c.first_word + 1 < argc) {
            (void)cli_complain(&cmd_run_help, "\"%s\": one folder is enough", argv[argc - 1]);
            return CLI_BAD;
        }
        w->campaign.folder = argv[c.first_word];
    }
    return option;
}

/* Open or resume, and what the scheduler is to do then. */
static enum res open_campaign(struct words *w, struct target_list *list, struct arena *a,
                              struct journal **j, struct err *e)
{
    struct campaign_words *c = &w->campaign;
    enum res const r = campaign_open(c, list, a, j, e);
    if (r != RES_OK) {
        return r;
    }
    w->sched.targets = list;
    w->sched.profile = c->profile;
    w->sched.seed = c->seed;
    w->sched.max_cases = c->max_cases;
    w->sched.max_ns = c->max_ns;
    w->sched.exports = arena_printf(a, "%s/corpus", c->folder);
    if (!w->has_mutate && c->is_resume) {
        w->sched.mutate_percent =
            (uint32_t)strtoul(journal_get_note(*j, "mutate_percent", a), NULL, 10);
    } else if (!w->has_mutate) {
        w->sched.mutate_percent = c->has_cases ? 0 : MUTATE_DEFAULT;
    }
    return RES_OK;
}

/* Each violation as expected or not; how many are not. */
static uint32_t compare_known(struct expected_failures *k, const struct campaign *c, FILE *f)
{
    uint32_t n_unlisted = 0;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *found = &c->findings[i];
        const struct campaign_target *t = campaign_find_target(c, found->target_id);
        if (!t || !campaign_is_violation(found)) {
            continue;
        }
        const struct expected_failure *row =
            expected_failures_find(k, t->name, t->facts, found->signature, found->clause);
        n_unlisted += !row;
        printable_print(f, "%s: %s: %s (%" PRIu64 " times)%s%s\n", row ? "expected" : "NOT LISTED",
                        t->name, found->signature, found->n_in_bucket, row ? ": " : "",
                        row ? row->note : "");
    }
    for (uint32_t i = 0; i < k->n; i++) {
        if (k->rows[i].is_expired && k->rows[i].n_seen) {
            printable_print(f, "listed until %s: %s: %s\n", k->rows[i].expires, k->rows[i].target,
                            k->rows[i].signature);
        }
        for (uint32_t t = 0; t < c->n_targets && !k->rows[i].n_seen; t++) {
            if (strcmp(k->rows[i].target, c->targets[t].name) == 0 &&
                (k->rows[i].version[0] == '*' || strstr(c->targets[t].facts, k->rows[i].version))) {
                printable_print(f, "listed, not seen: %s: %s\n", k->rows[i].target,
                                k->rows[i].signature);
            }
        }
    }
    return n_unlisted;
}

static void print_summary(const struct campaign *c, const struct sched_summary *s, FILE *f)
{
    campaign_print(c, f);
    printable_print(f,
                    "%" PRIu32 " features; %" PRIu32 " tapes kept for them in %s/corpus; %" PRIu64
                    " cases mutated, %" PRIu64 " imported\n",
                    s->corpus.n_cells, s->corpus.n_tapes, c->folder, s->corpus.n_mutated,
                    s->corpus.n_imported);
    if (s->corpus.n_bad_files) {
        printable_print(f, "%" PRIu64 " files are no tapes of this generator version\n",
                        s->corpus.n_bad_files);
    }
    if (s->n_dead) {
        printable_print(f, "%" PRIu32 " of %" PRIu32 " targets did not start or were given up\n",
                        s->n_dead, c->n_targets);
    }
    uint64_t const cpu_ns = c->harness_cpu_ns + c->worker_cpu_ns;
    printable_print(f, "%.1f s%s, own share of the CPU time %.1f%%\n", (double)s->wall_ns / 1e9,
                    s->was_stopped ? ", stopped by a signal" : "",
                    cpu_ns ? 100.0 * (double)c->harness_cpu_ns / (double)cpu_ns : 0.0);
}

static enum cli_status conclude(const struct words *w, struct expected_failures *known,
                                const struct campaign *c, const struct sched_summary *s)
{
    FILE *f = w->sched.is_json ? stderr : stdout;
    struct campaign_sums const sums = campaign_sum(c);
    if (!w->sched.is_quiet || !w->sched.is_json) {
        print_summary(c, s, f);
    }
    if (sums.n_runs == 0 && !s->was_stopped) {
        (void)cli_complain(&cmd_run_help, "no case was run");
        return STATUS_HARNESS;
    }
    if (w->known) {
        uint32_t const n_unlisted = compare_known(known, c, f);
        if (sums.n_judged == 0) {
            (void)cli_complain(&cmd_run_help, "no case was judged");
            return STATUS_HARNESS;
        }
        return n_unlisted ? STATUS_FINDINGS : STATUS_OK;
    }
    return sums.n_found ? STATUS_FINDINGS : STATUS_OK;
}

static enum res work(struct words *w, struct arena *a, struct cmd_result *out, struct err *e)
{
    struct journal *j = NULL;
    struct expected_failures known = {.n = 0};
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct sched_summary summary;
    struct campaign campaign;
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    char today[EXPECTED_DATE_BYTES];
    expected_failures_get_today(today);
    enum res r = w->known ? expected_failures_read(&known, w->known, today, a, e) : RES_OK;
    if (r == RES_IO) {
        return err_set(e, RES_USAGE, "%s: cannot be read", w->known);
    }
    r = r == RES_OK ? open_campaign(w, list, a, &j, e) : r;
    r = r == RES_OK ? journal_put_note(j, "mpfr_version", mp_get_version(), e) : r;
    r = r == RES_OK ? journal_put_note(j, "mutate_percent",
                                       arena_printf(a, "%" PRIu32, w->sched.mutate_percent), e)
                    : r;
    if (r == RES_OK) {
        journal_set_disk_cap(j, w->disk_cap);
        r = sched_run(&w->sched, j, &summary, e);
        r = r == RES_OK ? journal_load(j, a, &campaign, e) : r;
    }
    if (r == RES_OK) {
        out->status = conclude(w, &known, &campaign, &summary);
        (void)snprintf(out->folder, sizeof(out->folder), "%s", w->campaign.folder);
    }
    journal_close(j);
    return r;
}

struct cmd_result cmd_run(int argc, char **argv)
{
    struct cmd_result out = {.status = STATUS_OK, .folder = ""};
    struct words w = {
        .campaign = {.profile = PROFILE_ALL, .prefix = "halfulp-run"},
        .sched = {.n_workers = 1                     },
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
