/* fuzz/cli/cmd_reduce.c -- halfulp reduce: a finding, smaller. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_finding.h"
#include "fuzz/io/bundle.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/owner.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/reduce/reduce.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trial.h"
#include "fuzz/trial/trial_count.h"
#include "fuzz/trial/trust.h"
#include "gen/tape/profile.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

struct options {
    const char *path, *target, *ini, *core, *output;
    struct file_made *made; /* gets `output` */
    uint64_t finding, n_workers, max_ns;
    int no_peer, is_trusted, is_quiet;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("target", "NAME", "name of the target (default: the target of the finding)",
            CLI_PUT(CLI_TEXT, target)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("finding", "ID", "reduce finding ID of the campaign PATH", CLI_PUT(CLI_U64, finding),
            CLI_WITHIN(1, INT64_MAX)),
    CLI_ROW(
        "core", "TEXT",
        "core of the finding that the reduced case must show (default: the worst finding of PATH)",
        CLI_PUT(CLI_TEXT, core)),
    CLI_ROW("workers", "N", "number of reduced cases to try in parallel (default: 2)",
            CLI_PUT(CLI_U64, n_workers), CLI_WITHIN(1, TRIAL_MAX_WORKERS)),
    CLI_ROW("for", "TIME", "time limit, such as 30s or 5m (default: 5m)",
            CLI_PUT(CLI_TIME, max_ns)),
    CLI_ROW("output", "FOLDER",
            "folder for the reduced case; halfulp continues an unfinished reduction in this folder",
            CLI_PUT(CLI_TEXT, output), .letter = 'o'),
    CLI_ROW("no-peer", NULL, "do not use spirv-reduce", CLI_PUT(CLI_FLAG, no_peer)),
    CLI_ROW("trust", NULL, "run the case even if halfulp cannot show that it is harmless",
            CLI_PUT(CLI_FLAG, is_trusted)),
    CLI_QUIET(is_quiet),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_reduce_help = {
    "reduce", "[OPTION]... PATH -o FOLDER",
    "Reduce the case of a finding to a smaller case that shows the same bug.",
    "Examples:\n"
    "  halfulp reduce first#9 -o small\n"
    "\n"
    "PATH is a bundle, or CAMPAIGN#ID for a finding. If the campaign kept the tape (the decisions "
    "of the\n"
    "generator), halfulp reduces the tape first. Then halfulp reduces the module, the dispatch and "
    "the\n"
    "inputs. If halfulp did not generate the case, it runs the case only if it can show that the "
    "case is\n"
    "harmless, or with --trust.\n"
    "Exit status: 0 the case was reduced; 1 the case does not show its bug; 2 bad input; 3 the "
    "target cannot\n"
    "be used.\n",
    option_rows};

#define CMD_ARENA_BYTES ((size_t)1 << 30)
enum {
    DEFAULT_WORKERS = 2,
    DEFAULT_SECONDS = 300,
    FIRST_RUNS = 3, /* that all show it: it is taken for reliable */
    MORE_RUNS = 17  /* otherwise, to see how often it shows */
};

/* The signature of the worst finding that the bundle's observation shows. */
static const char *find_worst(const struct reduce_subject *s, const struct judgement *g,
                              struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        if (g->findings[i].kind == g->kind) {
            return signature_of(&g->findings[i], &s->ob, a).text;
        }
    }
    return NULL;
}

/* Load the case of a bundle into *s, with its tape if it has one and its profile is one of today's; into *target
 * where it was seen; and into *signature the signature of the worst finding that its observation shows. *signature
 * stays NULL without an observation or a finding; then --core has to say what is looked for. */
static enum res load_bundle(const struct options *opt, struct arena *a, struct reduce_subject *s,
                            const char **target, const char **signature, struct err *e)
{
    struct bundle *b = ARENA_NEW(a, struct bundle, 1);
    struct judgement *g = ARENA_NEW(a, struct judgement, 1);
    if (!b || !g) {
        return err_set(e, RES_NOMEM, "no memory");
    }
    TRY(bundle_read(opt->path, a, b, e));
    s->tc = b->tc;
    s->ob = b->ob;
    *target = b->target;
    int const profile = profile_find(b->tc.profile);
    if (b->tape && profile >= 0) {
        s->has_tape = 1;
        s->profile = (enum profile)profile;
        s->tape = *b->tape;
    }
    if (!b->has_observation && !opt->core) {
        return err_set(e, RES_USAGE, "%s: contains no observed outputs; --core is needed",
                       opt->path);
    }
    if (!b->has_observation) {
        return RES_OK;
    }
    TRY(judge_run(&s->tc, &s->ob, a, g, e));
    *signature = find_worst(s, g, a);
    if (!*signature && !opt->core) {
        return err_set(e, RES_USAGE, "%s: the observed outputs show no finding", opt->path);
    }
    return RES_OK;
}

/* What is to be made smaller. *target: that showed it; NULL for a bundle that does not tell. */
static enum res load_subject(const struct options *opt, struct arena *a, struct reduce_subject *s,
                             const char **target, const char **signature, struct err *e)
{
    struct journal_finding f;
    if (!opt->finding) {
        return load_bundle(opt, a, s, target, signature, e);
    }
    TRY(cli_read_finding(opt->path, (int64_t)opt->finding, &f, s, a, e));
    *target = f.target;
    *signature = f.signature;
    return RES_OK;
}

/* What is tried comes of the case: where that is vouched for, each candidate has to be. */
static enum res ask_trust(const struct options *opt, struct reduce_subject *s, enum trust *out,
                          struct arena *a, struct err *e)
{
    enum res const r =
        trust_case(opt->path, &s->tc, s->has_tape ? &s->tape : NULL, opt->is_trusted, out, a, e);
    s->has_tape = s->has_tape && (opt->finding || *out == TRUST_OURS);
    if (r == RES_OK && *out != TRUST_OURS) {
        const char *const remark = foreign_classify(&s->tc, a);
        if (remark[0]) {
            (void)cli_complain(&cmd_reduce_help, "%s: the class of the case is %s: %s", opt->path,
                               case_class_names[s->tc.class], remark);
        }
    }
    return r;
}

static enum res find_target(const struct options *opt, const char *name, struct target_list *list,
                            struct arena *a, struct err *e)
{
    struct target_list *all = ARENA_NEW(a, struct target_list, 1);
    if (!all) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    if (!opt->target && !name) {
        return err_set(e, RES_USAGE, "--target NAME is needed for a bundle");
    }
    TRY(targets_find(all, opt->ini, a, e));
    return targets_select(all, opt->target ? opt->target : name, list, a, e);
}

/* Find out how often the case shows the wanted finding on the target: FIRST_RUNS runs, MORE_RUNS more if only
 * some of them did, and 1 run for a hang, as each costs a whole deadline. s->wanted gets the share, so that a
 * smaller case is asked for no more than this one gives. RES_USAGE: no run showed it. */
static enum res measure(struct reduce_subject *s, const struct target *t, struct trial_count *n,
                        struct err *e)
{
    const char *const hang = verdict_rows[VERDICT_HANG].name;
    bool const is_hang = strncmp(s->wanted.core, hang, strlen(hang)) == 0;
    struct trial_count more = {.n_runs = 0};
    TRY(trials_count(t, &s->wanted, &s->tc, is_hang ? 1 : FIRST_RUNS, 0, n, e));
    bool const is_flaky = n->n_shown < n->n_runs;
    if (is_flaky && !is_hang) {
        TRY(trials_count(t, &s->wanted, &s->tc, MORE_RUNS, 0, &more, e));
    }
    n->n_runs += more.n_runs;
    n->n_shown += more.n_shown;
    if (n->n_shown == 0) {
        return err_set(e, RES_USAGE, "%s: the case does not show it in %" PRIu32 " runs", t->name,
                       n->n_runs);
    }
    trial_set_share(&s->wanted, (double)n->n_shown / n->n_runs);
    return RES_OK;
}

/* A flaky case that is smaller should show it as often as before. */
static void print_share(const struct reduce_subject *s, const struct target *t,
                        const struct reduce_result *out, const struct trial_count *before)
{
    struct trial_count n = {.n_runs = 0};
    struct err e;
    if (before->n_shown < before->n_runs &&
        trials_count(t, &s->wanted, &out->tc, before->n_runs, 0, &n, &e) == RES_OK) {
        printable_print(stdout,
                        "flaky: shown by %" PRIu32 " of %" PRIu32 " runs, before by %" PRIu32
                        " of %" PRIu32 "\n",
                        n.n_shown, n.n_runs, before->n_shown, before->n_runs);
    }
}

/* All that is needed before the reduction: the case, its bug, the target. */
static enum res prepare(const struct options *opt, struct reduce_subject *s,
                        struct target_list *list, struct arena *a, struct err *e)
{
    enum trust trust = TRUST_OURS;
    const char *name = NULL, *signature = NULL;
    enum res const loaded = load_subject(opt, a, s, &name, &signature, e);
    if (loaded == RES_IO) {
        e->code = RES_USAGE; /* the user named it */
    }
    TRY(loaded == RES_IO ? RES_USAGE : loaded);
    TRY(ask_trust(opt, s, &trust, a, e));
    s->wanted =
        (struct trial_wanted){.core = opt->core ? opt->core : signature_parse(signature, a).core,
                              .facts = s->ob.facts && s->ob.facts[0] ? s->ob.facts : NULL,
                              .n_runs = 1,
                              .n_needed = 1,
                              .is_foreign = trust == TRUST_VOUCHED};
    TRY(find_target(opt, name, list, a, e));
    return file_make_path(opt->output, e);
}

/* RES_USAGE: the case does not show its bug. */
static enum res reduce(const struct options *opt, struct reduce_subject *s, const struct target *t,
                       struct trial_count *share, struct reduce_result *out, struct arena *a,
                       struct err *e)
{
    struct progress progress;
    progress_open(&progress, stderr);
    struct reduce_options const o = {.target = t,
                                     .n_workers = (uint32_t)opt->n_workers,
                                     .max_ns = opt->max_ns,
                                     .state = opt->output,
                                     .tries_spirv_reduce = !opt->no_peer,
                                     .is_trusted = opt->is_trusted,
                                     .progress = opt->is_quiet ? NULL : &progress};
    TRY(measure(s, t, share, e));
    file_keep_made(opt->made); /* a search that is cut short goes on there */
    return reduce_run(s, &o, a, out, e);
}

static void print_result(const struct options *opt, const struct reduce_result *out)
{
    printable_print(stdout,
                    "%s: %" PRIu32 " instructions, before %" PRIu32 "; %" PRIu32 " of %" PRIu32
                    " candidates kept, %.1f s, smallest by %s%s\n%s\n",
                    opt->output, out->n_after, out->n_before, out->n_accepted, out->n_tried,
                    (double)out->wall_ns / 1e9, out->smallest,
                    out->was_cut ? "; stopped early, the same command continues" : "",
                    out->finding.text);
}

/* Runs `reduce`: it loads the case, searches a smaller one with the same bug, and writes and prints that. */
static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *opt = options;
    struct err e = {RES_OK, ""};
    if (c->n_words != 1 || !opt->output) {
        return cli_complain(c->command, "one PATH and -o FOLDER are needed");
    }
    int64_t id = 0;
    if (cli_split_finding(c->words[0], &opt->path, &id, a, &e) != RES_OK) {
        return cli_fail_input(c->command, &e);
    }
    if (id && opt->finding) {
        return cli_complain(c->command,
                            "%s: the ID of the finding is given twice, in PATH and with --finding",
                            c->words[0]);
    }
    opt->finding = id ? (uint64_t)id : opt->finding;
    struct reduce_subject *s = ARENA_NEW(a, struct reduce_subject, 1);
    struct reduce_result *out = ARENA_NEW(a, struct reduce_result, 1);
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct trial_count share;
    if (!s || !out || !list) {
        return STATUS_HARNESS;
    }
    opt->made = &c->made;
    file_note_made(opt->made, opt->output);
    if (prepare(opt, s, list, a, &e) != RES_OK) {
        return cli_fail(c->command, &e);
    }
    if (owner_take(opt->output, &e) != RES_OK) {
        return cli_fail_input(c->command, &e);
    }
    child_hold_stop(NULL); /* SIGINT and SIGTERM end the search, and the best so far is written */
    const struct target *t = &list->t[0];
    enum res const r = reduce(opt, s, t, &share, out, a, &e);
    if (r != RES_OK) {
        enum cli_status const status = cli_fail(c->command, &e);
        bool const shows_no_bug = r == RES_USAGE; /* a negative answer, not a wrong command line */
        cli_drop_made(c);
        return shows_no_bug ? STATUS_FINDINGS : status;
    }
    struct bundle const b = {.tc = out->tc, .ob = out->ob, .has_observation = 1, .target = t->name};
    if (bundle_write(opt->output, &b, a, &e) != RES_OK) {
        return cli_fail(c->command, &e);
    }
    print_result(opt, out);
    print_share(s, t, out, &share);
    return STATUS_OK;
}

static const struct options defaults = {.n_workers = DEFAULT_WORKERS,
                                        .max_ns = DEFAULT_SECONDS * UINT64_C(1000000000)};
const struct cli_entry cmd_reduce = {&cmd_reduce_help, &defaults, sizeof defaults, CMD_ARENA_BYTES,
                                     run};
