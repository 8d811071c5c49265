/* fuzz/cli/cmd_check.c -- halfulp check: a case, bundle, tape or finding again, on given targets. */
#include "fuzz/cli/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_finding.h"
#include "fuzz/execute/executor.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/json.h"
#include "fuzz/io/show.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/pool/front_end.h"
#include "fuzz/pool/handle.h"
#include "fuzz/reduce/reduce.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trust.h"
#include "gen/case/gen.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/tables/tables.h"

enum {
    CHECK_MAX_RUNS = 1000
};

struct options {
    const char *targets, *ini, *output, *core, *module;
    struct file_made *made; /* gets `output` */
    uint64_t finding, n_runs;
    int unadvertised, is_trusted, is_json, is_verbose, is_bisect;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("targets", "LIST",
            "names of targets (default: the target of the finding; for a tape, all targets that "
            "can run it)",
            CLI_PUT(CLI_TEXT, targets)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("finding", "ID", "check finding ID of the campaign PATH", CLI_PUT(CLI_U64, finding),
            CLI_WITHIN(1, INT64_MAX)),
    CLI_ROW("runs", "N", "run the case N times, each time in a new driver process (default: 1)",
            CLI_PUT(CLI_U64, n_runs), CLI_WITHIN(1, CHECK_MAX_RUNS)),
    CLI_ROW("output", "FOLDER", "write the case and the results of its last run to FOLDER",
            CLI_PUT(CLI_TEXT, output), .letter = 'o'),
    CLI_ROW("core", "TEXT", "count only findings with this core (field `core` of report.json)",
            CLI_PUT(CLI_TEXT, core)),
    CLI_ROW("module", "FILE", "run this SPIR-V module instead of the module of the case",
            CLI_PUT(CLI_TEXT, module)),
    CLI_ROW("unadvertised", NULL,
            "run the case even if the device does not report a feature that the case needs",
            CLI_PUT(CLI_FLAG, unadvertised)),
    CLI_ROW("trust", NULL, "run the case even if halfulp cannot show that it is harmless",
            CLI_PUT(CLI_FLAG, is_trusted)),
    CLI_ROW("bisect", NULL,
            "exit as `git bisect run` expects: 0 no violation, 1 a violation, 125 not known",
            CLI_PUT(CLI_FLAG, is_bisect)),
    CLI_ROW("json", NULL, "print one JSON line per target", CLI_PUT(CLI_FLAG, is_json)),
    CLI_ROW("verbose", NULL, "print each finding", CLI_PUT(CLI_FLAG, is_verbose), .letter = 'v'),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_check_help = {
    "check", "[OPTION]... PATH...",
    "Run a case again and report whether its violation still occurs.",
    "Examples:\n"
    "  halfulp check first#9\n"
    "  halfulp check first#9 --targets lavapipe-25,lavapipe-26 --runs 5\n"
    "  halfulp check -v first/bugs/NAME\n"
    "\n"
    "PATH is a bundle (a folder, case.json or case.bin), a tape, or CAMPAIGN#ID for a finding. If "
    "halfulp did\n"
    "not generate the case, it runs the case only if it can show that the case is harmless, or "
    "with --trust.\n"
    "Exit status: 0 the violation did not occur; 1 the violation occurred; 2 bad input; 3 nothing "
    "could be\n"
    "run; 4 the violation did not occur, but some results could not be judged (a run was "
    "inconclusive, or no\n"
    "rule restricts any of its values). With --bisect, halfulp exits with 125 instead of 2, 3 and "
    "4.\n",
    option_rows};

#define CHECK_ARENA_BYTES ((size_t)1 << 30)
static const char tape_magic[] = "hulptape";

/* What is to be run. */
struct item {
    const char *path;
    struct bundle b;
    int is_tape; /* then the case depends on the target's environment */
    struct tape tape;
    enum profile profile;
    int expected;       /* kind of verdict to be found again; -1: any violation */
    const char *target; /* that it was seen on; NULL: not known */
    const char *remark; /* why its class is not the one that the case says, "": it is (foreign.h) */
};

/* How it went on the targets so far. */
struct outcome {
    uint32_t n_ran, n_found, n_open;
};

static enum res load_finding(struct item *item, const char *folder, int64_t id, struct arena *a,
                             struct err *e)
{
    struct journal_finding f;
    struct reduce_subject *s = ARENA_NEW(a, struct reduce_subject, 1);
    if (!s) {
        return err_set(e, RES_NOMEM, "%s: no memory for a finding", folder);
    }
    TRY(cli_read_finding(folder, id, &f, s, a, e));
    item->b = (struct bundle){
        .tc = s->tc, .ob = s->ob, .has_observation = 1, .tape = s->has_tape ? &s->tape : NULL};
    item->target = f.target;
    item->expected = verdict_find(f.verdict);
    return RES_OK;
}

static int is_tape_file(const char *path)
{
    char head[sizeof(tape_magic)] = "";
    struct err ignored; /* what reads all of it tells */
    int fd = -1;
    if (file_open(path, &fd, &ignored) != RES_OK) {
        return 0;
    }
    ssize_t const n = read(fd, head, sizeof(head) - 1);
    (void)close(fd);
    return n == (ssize_t)sizeof(head) - 1 && strcmp(head, tape_magic) == 0;
}

static enum res load_tape(struct item *item, struct arena *a, struct err *e)
{
    const char *profile = "";
    TRY(tape_load_file(&item->tape, item->path, &profile, a, e));
    int const found = profile_find(profile);
    if (found < 0) {
        return err_set(e, RES_FORMAT, "%s: profile \"%.40s\" is unknown", item->path, profile);
    }
    item->is_tape = 1;
    item->profile = (enum profile)found;
    return RES_OK;
}

/* The kind of violation that a bundle's observation shows. */
static void expect_from_bundle(struct item *item, struct arena *a)
{
    struct judgement g;
    struct err e;
    if (item->b.has_observation && judge_run(&item->b.tc, &item->b.ob, a, &g, &e) == RES_OK &&
        verdict_rows[g.kind].part == PART_VIOLATION) {
        item->expected = (int)g.kind;
    }
}

/* Load what a word of the command line names: with --finding, or as CAMPAIGN#ID where no file has that name, a
 * finding of a campaign; else a tape file; else a bundle. item->expected is the verdict to be shown; it stays -1,
 * any violation, where the item names none. */
static enum res load_item(struct item *item, const struct options *opt, const char *path,
                          struct arena *a, struct err *e)
{
    memset(item, 0, sizeof(*item));
    item->path = path;
    item->remark = "";
    item->expected = -1;
    const char *folder = path;
    int64_t id = 0;
    struct stat s;
    if (opt->finding) {
        return load_finding(item, path, (int64_t)opt->finding, a, e);
    }
    TRY(cli_split_finding(path, &folder, &id, a, e));
    if (id) {
        return load_finding(item, folder, id, a, e);
    }
    if (stat(path, &s) != 0) {
        return err_set(e, RES_USAGE, "%s: %s", path, strerror(errno));
    }
    if (S_ISREG(s.st_mode) && is_tape_file(path)) {
        return load_tape(item, a, e);
    }
    enum res const r = bundle_read(path, a, &item->b, e);
    if (r == RES_OK) {
        expect_from_bundle(item, a);
        item->target = item->b.target;
    }
    return r;
}

/* A simulated device plays the one that the item was observed on. */
static enum res run_once(const struct target *t, const struct item *item, struct run *run,
                         uint64_t seed, struct err *e)
{
    if (t->kind == TARGET_WORKER) {
        return handle_run_once(t, run, e);
    }
    const char *facts = item->b.has_observation && item->b.ob.facts[0]
                            ? item->b.ob.facts
                            : sim_facts(run->tc.env, seed, &run->arena);
    enum res const r = front_end_run_sim(t, &run->tc, seed, facts, &run->arena, &run->ob, e);
    run->ob.facts = facts;
    return r;
}

/* Is there a finding of the core that was asked for, or else of the expected kind, or else a violation? */
static bool shows(const struct options *opt, const struct judgement *g,
                  const struct observation *ob, int expected, struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *f = &g->findings[i];
        bool is_wanted = verdict_rows[f->kind].part == PART_VIOLATION;
        if (opt->core) {
            is_wanted = finding_has_core(f, ob, opt->core, a);
        } else if (expected >= 0) {
            is_wanted = (int)f->kind == expected;
        }
        if (is_wanted) {
            return true;
        }
    }
    return false;
}

/* Runs of one item on one target. */
struct tally {
    uint32_t n_runs, n_shown, n_rejected, n_open;
    enum case_class class; /* for this target */
    const char *reason;    /* why it did not run, NULL otherwise */
    enum verdict_kind worst;
    bool is_worst_open;
    const char *said;              /* the verdict of the first run that was the worst, in words */
    uint32_t n_judged, n_anything; /* values of all runs, and those that nothing confines */
};

static void print_tally_json(const struct item *item, const struct target *t, const struct tally *y,
                             const char *expected)
{
    struct err e;
    struct json *o = json_new_object();
    json_put_text(o, "path", item->path);
    json_put_text(o, "target", t->name);
    json_put_text(o, "expected", expected);
    json_put_number(o, "runs", y->n_runs);
    json_put_number(o, "shown", y->n_shown);
    json_put_text(o, "class", case_class_names[y->class]);
    json_put_text(o, "remark", item->remark);
    json_put_number(o, "rejected", y->n_rejected);
    json_put_text(o, "worst", y->n_runs ? verdict_rows[y->worst].name : "");
    json_put_text(o, "said", y->said ? y->said : "");
    json_put_number(o, "judged", y->n_judged);
    json_put_number(o, "confined", y->n_judged - y->n_anything);
    json_put_number(o, "open", y->n_open);
    json_put_text(o, "reason", y->reason ? y->reason : "");
    (void)!json_print(o, JSON_LINE, stdout, &e);
    json_free(o);
}

/* Print what the runs of an item on one target showed, as a line of text or of JSON: why it was not run, or
 * how many of the runs showed what is expected. */
static void print_tally(const struct options *opt, const struct item *item, const struct target *t,
                        const struct tally *y)
{
    const char *expected = item->expected >= 0 ? verdict_rows[item->expected].name : "a violation";
    if (opt->is_json) {
        print_tally_json(item, t, y, expected);
        return;
    }
    if (y->reason) {
        printable_print(stdout, "%s: %s: not run: %s\n", item->path, t->name, y->reason);
        return;
    }
    printable_print(stdout, "%s: %s: %" PRIu32 " of %" PRIu32 " runs show %s (worst verdict: %s)",
                    item->path, t->name, y->n_shown, y->n_runs, expected, y->said);
    if (y->class == CLASS_UNADVERTISED) {
        printable_print(
            stdout, "; the device does not report the features of the case and rejected %" PRIu32,
            y->n_rejected);
    }
    if (item->remark[0]) {
        printable_print(stdout, "; class %s: %s", case_class_names[y->class], item->remark);
    }
    (void)putchar('\n');
}

/* The item's case for this target. */
static enum res make_case(const struct item *item, const struct target *t, struct arena *a,
                          struct testcase *tc, struct err *e)
{
    *tc = item->b.tc;
    if (!item->is_tape) {
        return RES_OK;
    }
    struct tape reader = item->tape;
    return gen_case(item->profile, t->env, &reader, a, tc, NULL, e);
}

/* Verdicts of one kind differ in what keeps them from saying more: one of which something is open is told first. */
static void note_worst(struct tally *y, const struct judgement *g, struct arena *a)
{
    bool const is_first = y->said == NULL || g->kind > y->worst;
    if (is_first || (g->kind == y->worst && judgement_is_open(g) && !y->is_worst_open)) {
        y->worst = g->kind;
        y->is_worst_open = judgement_is_open(g);
        y->said = judgement_describe(g, a);
    }
}

/* Of a target whose values are those of its program: what the first wrong word is computed of. */
static enum res show_trace(const struct target *t, struct run *run, const struct judgement *g,
                           struct err *e)
{
    const char *text = "";
    uint32_t i = 0;
    while (i < g->n_findings && !g->findings[i].expect) {
        i++;
    }
    if (t->values == VALUES_NIR && i < g->n_findings) {
        TRY(executor_trace(t, &run->tc, &run->ob, g->findings[i].expect, &run->arena, &text, e));
        for (const char *line = printable_take_line(&run->arena, &text); line;
             line = printable_take_line(&run->arena, &text)) {
            (void)printf("  %s\n", line);
        }
    }
    return RES_OK;
}

/* What the compiler reports about the code of the case, a line each. */
static void show_statistics(const struct observation *ob)
{
    for (uint32_t i = 0; i < ob->n_statistics; i++) {
        printable_print(stdout, "  %s: %" PRIu64 "\n", ob->statistics[i].name,
                        ob->statistics[i].value);
    }
}

/* Run the item once on the target, judge it, and add the result to the tally *y. Verdicts are ordered from
 * harmless to bad, so that the greatest is the worst. With --output the run is also kept as a bundle. */
static enum res run_and_judge(const struct options *opt, const struct item *item,
                              const struct target *t, uint64_t seed, struct run *run,
                              struct tally *y, struct arena *a, struct err *e)
{
    struct judgement g;
    arena_reset(&run->arena);
    TRY(make_case(item, t, &run->arena, &run->tc, e));
    run->tc.class = y->class;
    TRY(run_once(t, item, run, seed, e));
    TRY(judge_run(&run->tc, &run->ob, &run->arena, &g, e));
    y->n_runs++;
    /* Does it show the expected verdict, or where none is expected any violation? */
    y->n_shown += shows(opt, &g, &run->ob, item->expected, &run->arena);
    y->n_rejected += run->ob.status == RUN_REJECT;
    y->n_open += judgement_is_open(&g);
    y->n_judged += g.n_judged;
    y->n_anything += g.n_anything;
    note_worst(y, &g, a);
    if (opt->is_verbose && !opt->is_json) {
        show_judgement(&run->tc, &run->ob, &g, &run->arena, stdout);
        show_statistics(&run->ob);
        TRY(show_trace(t, run, &g, e));
    }
    struct bundle const b = {.tc = run->tc,
                             .ob = run->ob,
                             .has_observation = 1,
                             .target = t->name,
                             .tape = item->is_tape ? &item->tape : item->b.tape};
    if (!opt->output) {
        return RES_OK;
    }
    TRY(bundle_write(opt->output, &b, &run->arena, e));
    file_keep_made(opt->made);
    return RES_OK;
}

static enum res run_on(const struct options *opt, const struct item *item, const struct target *t,
                       struct run *run, struct tally *y, struct arena *a, struct err *e)
{
    enum res r = RES_OK;
    for (uint64_t i = 0; i < opt->n_runs && r == RES_OK; i++) {
        r = run_and_judge(opt, item, t, i + 1, run, y, a, e);
    }
    return r;
}

/* Why a target of these facts is not given a case with these needs; NULL: it is. */
static const char *explain_refusal(const char *facts, const struct needs *needs, enum fit fit,
                                   bool takes_unlisted, struct arena *a)
{
    if (fit == FIT_LISTED || (fit == FIT_UNLISTED && takes_unlisted)) {
        return NULL;
    }
    int const need = facts_first_unmet(facts, needs);
    if (need < 0) {
        return "the case needs a feature that no device can report (see --unadvertised)";
    }
    return arena_printf(a, "the target does not support %s%s", cap_rows[need].id,
                        fit == FIT_UNLISTED ? " (see --unadvertised)" : "");
}

/* Can this target run the item? y->reason says why not; y->class is what the case is for the target, told in either
 * case. A case of a bundle may come with the class unadvertised, from a campaign that asked for such; one that is made
 * of a tape never does. */
static enum res find_class(const struct options *opt, const struct item *item,
                           const struct target *t, struct arena *a, struct tally *y, struct err *e)
{
    struct err start = {RES_OK, ""};
    const char *facts = "";
    struct testcase tc;
    TRY(make_case(item, t, a, &tc, e));
    y->class = tc.class;
    if (t->kind == TARGET_SIM) {
        return RES_OK;
    }
    if (handle_get_facts(t, a, &facts, &start) != RES_OK) {
        y->reason = arena_printf(a, "%s", start.text);
        return RES_OK;
    }
    enum fit const fit = facts_get_fit(facts, &tc.needs);
    bool const takes_unlisted =
        opt->unadvertised || t->unadvertised || tc.class == CLASS_UNADVERTISED;
    y->reason = explain_refusal(facts, &tc.needs, fit, takes_unlisted, a);
    if (tc.class != CLASS_ILLEGAL && !item->remark[0]) {
        y->class = fit == FIT_UNLISTED ? CLASS_UNADVERTISED : CLASS_LEGAL;
    }
    return RES_OK;
}

/* Is the target one for the item? Where none was chosen, those that cannot be are passed over. */
static bool is_for(const struct item *item, const struct target *t, bool is_chosen)
{
    bool const is_same_env = item->is_tape || t->alternates || t->env == item->b.tc.env;
    bool const is_same_target = !item->target || strcmp(item->target, t->name) == 0;
    return is_chosen || (is_same_env && is_same_target);
}

/* All runs of the item on one target, or why there are none. */
static enum res check_on(const struct options *opt, const struct item *item, const struct target *t,
                         struct run *run, struct arena *a, struct outcome *o, struct err *e)
{
    struct tally y = {.n_runs = 0};
    if (!item->is_tape && !t->alternates && t->env != item->b.tc.env) {
        y.reason = "the case is for another API";
    } else {
        TRY(find_class(opt, item, t, a, &y, e));
    }
    if (!y.reason) {
        TRY(run_on(opt, item, t, run, &y, a, e));
    }
    print_tally(opt, item, t, &y);
    o->n_ran += y.n_runs > 0;
    o->n_found += y.n_shown > 0;
    o->n_open += y.n_open > 0;
    return RES_OK;
}

/* Run the item on each target of the list that it is for: on all that the command line names (is_chosen),
 * else on those of its environment and, if it says for which target it was kept, on that one. What they
 * showed is added to *o. */
static enum res check_item(const struct options *opt, const struct item *item,
                           const struct target_list *list, bool is_chosen, struct outcome *o,
                           struct err *e)
{
    struct arena a;
    enum res r = RES_OK;
    arena_init(&a, CHECK_ARENA_BYTES);
    struct run *run = ARENA_NEW(&a, struct run, 1);
    if (!run) {
        return err_set(e, RES_NOMEM, "no memory for a run");
    }
    arena_init(&run->arena, CHECK_ARENA_BYTES);
    for (uint32_t i = 0; i < list->n && r == RES_OK; i++) {
        if (is_for(item, &list->t[i], is_chosen)) {
            r = check_on(opt, item, &list->t[i], run, &a, o, e);
        }
    }
    arena_free(&run->arena);
    arena_free(&a);
    return r;
}

/* A tape's case is made here; any other may come from anywhere, and is then what its module says. */
static enum res ask_trust(const struct options *opt, struct item *item, struct arena *a,
                          struct err *e)
{
    struct bundle *const b = &item->b;
    const char *const name = opt->module ? opt->module : item->path;
    enum trust trust = TRUST_OURS;
    if (item->is_tape) {
        return RES_OK;
    }
    TRY(trust_case(name, &b->tc, b->tape, opt->is_trusted, &trust, a, e));
    if (trust != TRUST_OURS) {
        item->remark = foreign_classify(&b->tc, a);
    }
    return RES_OK;
}

/* What is to be run, with another module where one is given; and may it be run? */
static enum res take_item(struct item *item, const struct options *opt, const char *path,
                          struct arena *a, struct err *e)
{
    TRY(load_item(item, opt, path, a, e));
    if (opt->module) {
        TRY(bundle_read_module(opt->module, a, &item->b.tc, e));
    }
    return ask_trust(opt, item, a, e);
}

/* The work of the command: load each item, choose the targets (--targets, else the one that the item names,
 * else all that were found), and run it there. The status says whether anything expected was seen; that no
 * target could run anything is a failure of its own. */
static enum cli_status check_all(const struct options *opt, int n, char **paths, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct target_list *found = ARENA_NEW(a, struct target_list, 1);
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct item *item = ARENA_NEW(a, struct item, 1);
    struct outcome o = {0, 0, 0};
    if (!found || !list || !item) {
        return STATUS_HARNESS;
    }
    enum res r = targets_find(found, opt->ini, a, &e);
    found->has_audits = true; /* the cases of an audit, too */
    if (r != RES_OK) {
        return cli_fail_input(&cmd_check_help, &e);
    }
    for (int i = 0; i < n; i++) {
        if (take_item(item, opt, paths[i], a, &e) != RES_OK) {
            return cli_fail_input(&cmd_check_help, &e);
        }
        const char *names = opt->targets ? opt->targets : item->target; /* NULL: all */
        r = targets_select(found, names, list, a, &e);
        if (r == RES_USAGE && !opt->targets && item->b.target) { /* a bundle of another machine */
            (void)cli_complain(&cmd_check_help, "%s; halfulp tries all targets instead", e.text);
            item->target = names = NULL;
            r = targets_select(found, NULL, list, a, &e);
        }
        if (r == RES_OK) { /* with names the targets are chosen, and none of them is left out */
            r = check_item(opt, item, list, names != NULL, &o, &e);
        }
        if (r != RES_OK) {
            return cli_fail(&cmd_check_help, &e);
        }
    }
    if (o.n_ran == 0) {
        (void)cli_complain(&cmd_check_help, "no target could run the case");
        return STATUS_HARNESS;
    }
    if (o.n_found) {
        return STATUS_FINDINGS;
    }
    return o.n_open ? STATUS_INCOMPLETE : STATUS_OK;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    if (c->n_words == 0) {
        return cli_complain(c->command, "a PATH is needed");
    }
    struct options *const opt = options;
    if (opt->output) {
        file_note_made(&c->made, opt->output);
        opt->made = &c->made;
    }
    enum cli_status const status = check_all(opt, c->n_words, c->words, a);
    bool const is_told = status == STATUS_OK || status == STATUS_FINDINGS;
    return opt->is_bisect && !is_told ? STATUS_SKIP : status;
}

static const struct options defaults = {.n_runs = 1};
const struct cli_entry cmd_check = {&cmd_check_help, &defaults, sizeof defaults, CHECK_ARENA_BYTES,
                                    run};
