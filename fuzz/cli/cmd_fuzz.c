/* fuzz/cli/cmd_fuzz.c -- halfulp fuzz: a guided campaign. */
#include "fuzz/cli/cmd_fuzz.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "base/printable.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/seeds.h"
#include "fuzz/guided/fleet.h"
#include "fuzz/guided/guided.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/process/place.h"
#include "gen/tape/profile.h"
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
    OPT_JOBS,
    OPT_CORPUS,
    OPT_STOP,
    OPT_UNADVERTISED,
    OPT_QUIET
};

static const struct cli_option options[] = {
    {"for",           "TIME",   "run for so long: 60s, 10m, 8h (default: until Ctrl-C)",                   0  },
    {"cases",         "N",      "run N cases on each target",                                              0  },
    {"targets",       "LIST",   "names with commas between (default: all that are here)",                  0  },
    CLI_TARGETS_FILE,
    {"profile",       "NAME",   "atomics, groups, arith, maxerror or all (default: all)",                  0  },
    {"seed",          "N",      "of the mutations (default: from the clock)",                              0  },
    {"output",        "FOLDER", "the campaign's folder (default: halfulp-fuzz-SEED)",                      'o'},
    {"resume",        NULL,     "go on with the campaign in that folder",                                  0  },
    {"jobs",          "N",      "instances of AFL++ (default: one for each target)",                       'j'},
    {"corpus",        "FOLDER", "tapes to begin with (default: corpora/seeds/PROFILE beside the program)",
     0                                                                                                        },
    {"stop-at-first", NULL,     "end with the first finding",                                              0  },
    {"unadvertised",  NULL,     "run also what a driver does not list, counted apart",                     0  },
    {"quiet",         NULL,     "no progress on standard error",                                           'q'},
    CLI_SANDBOX,
    {NULL,            NULL,     NULL,                                                                      0  },
};
const struct cli_command cmd_fuzz_help = {
    "fuzz", "[OPTION]... [FOLDER]",
    "Run a guided campaign: AFL++ mutates cases towards what was not seen yet.",
    "An input is a tape, as \"halfulp gen\" writes it. What is new is told by what the judge saw: "
    "instruction,\n"
    "type, storage, mask, operand classes and outcome, and errors closer to their bound; with a "
    "driver "
    "that\n"
    "was built for it (make instrumented) also by the driver's own code.\n"
    "Exit status: 0 nothing found, 1 findings, 2 wrong usage, 3 nothing could be run.\n",
    options};

#define FUZZ_ARENA_BYTES ((size_t)256 << 20)

struct words {
    struct campaign_words campaign;
    struct fleet_options fleet;
    const char *corpus;
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
    case OPT_JOBS:
        if (!cli_number(c, option, 1, GUIDED_MAX_INSTANCES, &n)) {
            return 0;
        }
        w->fleet.n_jobs = (uint32_t)n;
        return 1;
    case OPT_CORPUS:
        w->corpus = c->value;
        return 1;
    case OPT_STOP:
        w->fleet.stop_at_first = 1;
        return 1;
    case OPT_UNADVERTISED:
        w->fleet.unadvertised = 1;
        return 1;
    default: /* OPT_QUIET: cli_next knows no other row */
        w->fleet.is_quiet = 1;
        return 1;
    }
}

static int read_words(int argc, char **argv, struct words *w)
{
    struct cli c = {.command = &cmd_fuzz_help, .argc = argc, .argv = argv};
    int option = 0;
    while ((option = cli_next(&c)) >= 0) {
        if (!take_option(&c, option, w)) {
            return CLI_BAD;
        }
    }
    if (option == CLI_END && c.first_word < argc) {
        if (w->campaign.folder || c.first_word + 1 < argc) {
            (void)cli_complain(&cmd_fuzz_help, "\"%s\": one folder is enough", argv[argc - 1]);
            return CLI_BAD;
        }
        w->campaign.folder = argv[c.first_word];
    }
    return option;
}

static int is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* A campaign that is gone on with has its seeds. */
static enum res put_seeds(const struct words *w, struct arena *a, struct err *e)
{
    const struct campaign_words *c = &w->campaign;
    const char *const usual =
        place_find_beside(arena_printf(a, "corpora/seeds/%s", profile_names[c->profile]), a);
    struct seeds_options const o = {.folder = c->folder,
                                    .corpus = w->corpus ? w->corpus : usual,
                                    .profile = c->profile,
                                    .seed = c->seed};
    struct seeds_figures figures;
    if (c->is_resume && is_folder(arena_printf(a, "%s/seeds", c->folder)) && !w->corpus) {
        return RES_OK;
    }
    enum res const r = seeds_make(&o, &figures, e);
    if (r == RES_OK && !w->fleet.is_quiet) {
        printable_print(stderr, "seeds: %" PRIu32 " tapes of %s, %" PRIu32 " random ones\n",
                        figures.n_taken, o.corpus ? o.corpus : "no folder", figures.n_random);
    }
    if (r == RES_OK && w->corpus && figures.n_unfit) {
        printable_print(
            stderr, "%s: %" PRIu32 " files are no tapes of this generator version and profile\n",
            w->corpus, figures.n_unfit);
    }
    return r;
}

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
        printable_print(f, "%" PRIu64 " inputs were no tapes\n", s->n_bad);
    }
    if (s->n_trouble) {
        printable_print(f,
                        "%" PRIu64 " troubles of the harness; the logs in %s/instances say more\n",
                        s->n_trouble, c->folder);
    }
    if (s->n_dead) {
        printable_print(f, "%" PRIu32 " of %" PRIu32 " instances did not start or were given up\n",
                        s->n_dead, s->n_instances);
    }
    uint64_t const cpu_ns = s->harness_cpu_ns + s->worker_cpu_ns + s->afl_cpu_ns;
    printable_print(f, "%.1f s%s; %.1f s of CPU time, of that AFL++ %.1f%%, drivers %.1f%%\n",
                    (double)s->wall_ns / 1e9, s->was_stopped ? ", stopped by a signal" : "",
                    (double)cpu_ns / 1e9,
                    cpu_ns ? 100.0 * (double)s->afl_cpu_ns / (double)cpu_ns : 0.0,
                    cpu_ns ? 100.0 * (double)s->worker_cpu_ns / (double)cpu_ns : 0.0);
}

static enum cli_status conclude(const struct campaign *c, const struct fleet_summary *s)
{
    struct campaign_sums const sums = campaign_sum(c);
    print_summary(c, s, stdout);
    if (sums.n_runs == 0 && !s->was_stopped) {
        (void)cli_complain(&cmd_fuzz_help, "no case was run");
        return STATUS_HARNESS;
    }
    return sums.n_found ? STATUS_FINDINGS : STATUS_OK;
}

static enum res work(struct words *w, struct arena *a, struct cmd_result *out, struct err *e)
{
    struct journal *j = NULL;
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct fleet_programs programs;
    struct fleet_summary summary;
    struct campaign campaign;
    if (!list) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    enum res r = fleet_find_programs(&programs, a, e);
    r = r == RES_OK ? campaign_open(&w->campaign, list, a, &j, e) : r;
    r = r == RES_OK ? journal_put_note(j, "mpfr_version", mp_get_version(), e) : r;
    r = r == RES_OK ? put_seeds(w, a, e) : r;
    if (r == RES_OK) {
        w->fleet.targets = list;
        w->fleet.folder = w->campaign.folder;
        w->fleet.ini = w->campaign.ini;
        w->fleet.profile = w->campaign.profile;
        w->fleet.seed = w->campaign.seed;
        w->fleet.max_cases = w->campaign.max_cases;
        w->fleet.max_ns = w->campaign.max_ns;
        r = fleet_run(&w->fleet, &programs, j, &summary, e);
    }
    r = r == RES_OK ? journal_load(j, a, &campaign, e) : r;
    if (r == RES_OK) {
        out->status = conclude(&campaign, &summary);
        (void)snprintf(out->folder, sizeof(out->folder), "%s", w->campaign.folder);
    }
    journal_close(j);
    return r;
}

struct cmd_result cmd_fuzz(int argc, char **argv)
{
    struct cmd_result out = {.status = STATUS_OK, .folder = ""};
    struct words w = {
        .campaign = {.profile = PROFILE_ALL, .prefix = "halfulp-fuzz"}
    };
    int const end = read_words(argc, argv, &w);
    if (end != CLI_END) {
        out.status = end == CLI_HELP ? STATUS_OK : STATUS_USAGE;
        return out;
    }
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, FUZZ_ARENA_BYTES);
    if (work(&w, &a, &out, &e) != RES_OK) {
        out.status = cli_fail(&cmd_fuzz_help, &e);
    }
    arena_free(&a);
    return out;
}
