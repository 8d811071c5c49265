/* fuzz/triage/baseline.c -- a campaign against an earlier one. */
#include "fuzz/triage/baseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/printable.h"
#include "fuzz/io/json.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/reduce/reduce.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/triage/worse.h"
#include "fuzz/trial/foreign.h"
#include "fuzz/trial/trial.h"
#include "fuzz/trial/trial_count.h"
#include "fuzz/trial/trust.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

#define BASELINE_ARENA_BYTES ((size_t)256 << 20)
#define BASELINE_JSON_BYTES  ((size_t)256 << 20)
enum {
    HANG_RUNS = 3
};

/* A bucket of the earlier campaign. */
struct old_bucket {
    const char *target, *verdict, *clause, *signature, *core;
    int is_flaky;
    int64_t id; /* of the finding that names it, in the journal */
};
struct old {
    struct journal *j; /* NULL: only a report is at hand */
    struct campaign c; /* of the journal */
    uint32_t n, n_max;
    struct old_bucket *buckets;
};

static const char *find_name(const struct campaign *c, int64_t id)
{
    const struct campaign_target *t = campaign_find_target(c, id);
    return t ? t->name : "";
}

/* Of that core, and where there is none, of one by which it is known. */
static const struct old_bucket *find_old(const struct old *old, const char *target,
                                         const char *core)
{
    const struct old_bucket *known = NULL;
    for (uint32_t i = 0; i < old->n; i++) {
        const struct old_bucket *b = &old->buckets[i];
        bool const is_of_target = strcmp(b->target, target) == 0;
        if (is_of_target && strcmp(b->core, core) == 0) {
            return b;
        }
        if (is_of_target && !known && core_is_of(core, b->core)) {
            known = b;
        }
    }
    return known;
}

/* Buckets of one core that circumstances keep apart are one here: the first stands for them. */
static void add_old(struct old *old, struct old_bucket b)
{
    const struct old_bucket *const first = find_old(old, b.target, b.core);
    if (old->n < old->n_max && !(first && strcmp(first->core, b.core) == 0)) {
        old->buckets[old->n++] = b;
    }
}

static enum res make_room(struct old *old, size_t n, struct arena *a, struct err *e)
{
    old->n_max = (uint32_t)n;
    old->buckets = ARENA_NEW(a, struct old_bucket, n + 1);
    return old->buckets ? RES_OK : err_set(e, RES_NOMEM, "no memory for the earlier campaign");
}

/* Read the buckets of an earlier campaign from its folder. A bucket is listed by the finding that names it,
 * if that is a violation. The journal stays open, as it has the cases to run again. */
static enum res load_journal(struct old *old, const char *folder, struct arena *a, struct err *e)
{
    struct campaign *const c = &old->c;
    TRY(journal_open(&old->j, folder, NULL, e));
    TRY(journal_load(old->j, a, c, e));
    TRY(make_room(old, c->n_findings, a, e));
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *f = &c->findings[i];
        if (f->bucket == i && campaign_is_violation(f)) {
            add_old(old, (struct old_bucket){.target = find_name(c, f->target_id),
                                             .verdict = f->verdict,
                                             .clause = f->clause,
                                             .signature = f->signature,
                                             .core = f->core,
                                             .is_flaky = f->triage && f->triage->is_flaky,
                                             .id = f->id});
        }
    }
    return RES_OK;
}

/* Does another finding name its bucket? Reports before version 2 do not say. */
static bool is_member(const struct json *finding)
{
    int64_t id = 0, bucket = 0;
    return json_as_int(json_find(finding, "id"), &id) &&
           json_as_int(json_find(finding, "bucket"), &bucket) && id != bucket;
}

/* Add the bucket that a finding of a report.json names; findings that are no violation, or only another
 * member of a bucket, are passed over. The texts of the JSON are freed with it, so that copies are kept. */
static enum res take_finding(struct old *old, const struct json *o, const char *at, struct arena *a,
                             struct err *e)
{
    const char *target = "", *verdict = "", *class = "", *signature = "";
    TRY(json_get_text(o, "target", at, &target, e));
    TRY(json_get_text(o, "verdict", at, &verdict, e));
    TRY(json_get_text(o, "class", at, &class, e));
    TRY(json_get_text(o, "signature", at, &signature, e));
    struct campaign_finding const f = {.verdict = verdict, .class = class};
    if (!campaign_is_violation(&f) || is_member(o)) {
        return RES_OK;
    }
    const char *clause = json_as_text(json_find(json_find(o, "clause"), "id"));
    const char *text = arena_printf(a, "%s", signature);
    add_old(old, (struct old_bucket){
                     .target = arena_printf(a, "%s", target),
                     .verdict = arena_printf(a, "%s", verdict),
                     .clause = arena_printf(a, "%s", clause ? clause : ""),
                     .signature = text,
                     .core = signature_parse(text, a).core,
                     .is_flaky = json_as_bool(json_find(json_find(o, "shown"), "is_flaky"))});
    return a->is_full ? err_set(e, RES_NOMEM, "no memory for the earlier campaign") : RES_OK;
}

/* Read the buckets of an earlier campaign from its report.json. There are no cases with it, so none can be
 * run again. */
static enum res load_report(struct old *old, const char *path, struct arena *a, struct err *e)
{
    const unsigned char *text = NULL;
    const struct json *findings = NULL;
    struct json *root = NULL;
    size_t n = 0;
    enum res r = file_read(path, BASELINE_JSON_BYTES, a, &text, &n, e);
    if (r == RES_OK) {
        r = json_parse(&root, path, text, n, e);
    }
    if (r == RES_OK) {
        r = json_get_array(root, "findings", path, &findings, e);
    }
    if (r == RES_OK) {
        r = make_room(old, json_get_count(findings), a, e);
    }
    for (size_t i = 0; r == RES_OK && i < json_get_count(findings); i++) {
        r = take_finding(old, json_get_item(findings, i),
                         arena_printf(a, "%s: findings[%zu]", path, i), a, e);
    }
    json_free(root);
    return r;
}

static bool is_there(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

/* Load an earlier campaign: its journal, which says more than a report beside it, if there is one. */
static enum res load_old(struct old *old, const char *path, struct arena *a, struct err *e)
{
    struct stat s;
    bool const is_file = stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
    const char *folder = path;
    if (is_file) {
        const char *slash = strrchr(path, '/');
        folder = slash ? arena_printf(a, "%.*s", (int)(slash - path), path) : ".";
    }
    const char *journal = arena_printf(a, "%s/journal.sqlite", folder);
    const char *report = is_file ? path : arena_printf(a, "%s/report.json", folder);
    return !is_there(journal) && is_there(report) ? load_report(old, report, a, e)
                                                  : load_journal(old, folder, a, e);
}

/* The target of that name, or NULL; a simulated one is made of its name. */
static const struct target *find_target(const struct target_list *list, const char *name,
                                        struct arena *a)
{
    struct err ignored;
    const struct target *const found = targets_find_name(list, name);
    if (found) {
        return found;
    }
    struct target *sim = strncmp(name, "sim-", 4) == 0 ? ARENA_NEW(a, struct target, 1) : NULL;
    return sim && targets_make_sim(name, sim, a, &ignored) == RES_OK ? sim : NULL;
}

/* Does the target still list what a legal case needs? Else its answer says nothing about the bug. */
static bool is_fit(const struct target *t, const struct testcase *tc, struct arena *a)
{
    const char *facts = "";
    struct err ignored;
    return t->kind == TARGET_SIM || tc->class != CLASS_LEGAL ||
           (handle_get_facts(t, a, &facts, &ignored) == RES_OK &&
            facts_get_fit(facts, &tc->needs) == FIT_LISTED);
}

/* Ends that leave open what the values would have been. */
static bool is_masking(enum verdict_kind k)
{
    return k == VERDICT_REJECT || k == VERDICT_CRASH || k == VERDICT_HANG || k == VERDICT_EXIT ||
           k == VERDICT_DEVICE_LOST || k == VERDICT_INCONCLUSIVE;
}

static void set_state(struct campaign_gone *g, enum baseline_state state, const char *why)
{
    g->state = state;
    g->why = why;
}

/* A bucket that only the earlier campaign has, while its cases are run again. */
struct rerun {
    const struct old *old;
    const struct old_bucket *b;
    const struct baseline_options *o;
    const struct target *t;
    struct campaign_gone *g; /* what comes of it */
    struct arena *own, *a;   /* of this bucket, and of what is kept */
};

static void set_unknown(struct rerun *x, const char *why)
{
    set_state(x->g, BASELINE_UNKNOWN, arena_printf(x->a, "%s", why));
}

/* Run a case until a run shows the bug, which is enough to say that it is still there: first once, then, if
 * that did not show it, as often as is left; a hang only HANG_RUNS times, as each takes a whole deadline.
 * *worst: the worst verdict of these runs. */
static enum res count_runs(struct rerun *x, const struct reduce_subject *s,
                           enum verdict_kind *worst, struct err *e)
{
    bool const is_hang = strcmp(x->b->verdict, verdict_rows[VERDICT_HANG].name) == 0;
    uint32_t const n_runs = is_hang ? (uint32_t)HANG_RUNS : (uint32_t)BASELINE_RUNS;
    uint32_t n_done = 0, n_shown = 0;
    *worst = VERDICT_OK;
    while (n_shown == 0 && n_done < n_runs) {
        struct trial_count n = {.worst = VERDICT_OK};
        uint32_t const n_now = n_done == 0 ? 1 : n_runs - n_done;
        enum res const r = trials_count(x->t, &s->wanted, &s->tc, n_now, 0, &n, e);
        n_done += n.n_runs;
        n_shown += n.n_shown;
        x->g->n_runs += n.n_runs;
        x->g->n_shown += n.n_shown;
        *worst = n.worst > *worst ? n.worst : *worst;
        if (r != RES_OK) {
            return r;
        }
    }
    return RES_OK;
}

/* May this case of the earlier campaign be run here? */
static bool ask_trust(struct rerun *x, struct reduce_subject *s, enum trust *out)
{
    struct err why = {RES_OK, ""};
    const char *name =
        arena_printf(x->own, "finding %" PRId64 " of the earlier campaign", x->b->id);
    const struct tape *tape = s->has_tape ? &s->tape : NULL;
    if (trust_case(name, &s->tc, tape, x->o->is_trusted, out, x->own, &why) == RES_OK) {
        if (*out != TRUST_OURS) {
            (void)foreign_classify(&s->tc, x->own);
        }
        return true;
    }
    set_unknown(x, why.text);
    (void)fprintf(stderr, "halfulp report: %s\n", why.text);
    if (x->o->n_refused) {
        ++*x->o->n_refused;
    }
    return false;
}

/* What the runs of the bucket's cases so far say of it. */
static enum baseline_state find_state(const struct rerun *x, enum verdict_kind worst)
{
    if (x->g->n_shown > 0) {
        return BASELINE_REMAINS;
    }
    if (x->b->is_flaky) { /* that it was not seen says nothing */
        return BASELINE_FLAKY;
    }
    return is_masking(worst) ? BASELINE_UNKNOWN : BASELINE_FIXED;
}

/* Run one case of the bucket again, and set the bucket's state by what came of it. True: it did not show the
 * bug, so another case of the bucket may. False: the state is settled, as it was shown or cannot be run. */
static bool run_case(struct rerun *x, struct reduce_subject *s)
{
    struct err why = {RES_OK, ""};
    enum trust trust = TRUST_OURS;
    enum verdict_kind worst = VERDICT_OK;
    struct campaign_gone *const g = x->g;
    if (!ask_trust(x, s, &trust)) {
        return false;
    }
    if (!is_fit(x->t, &s->tc, x->a)) {
        set_unknown(x, "the target no longer lists a feature that its case needs");
        return false;
    }
    s->wanted = (struct trial_wanted){
        .core = x->b->core, .facts = s->ob.facts, .is_foreign = trust == TRUST_VOUCHED};
    if (count_runs(x, s, &worst, &why) != RES_OK) {
        set_unknown(x, why.text);
        return false;
    }
    set_state(g, find_state(x, worst),
              arena_printf(x->a, "shown by %" PRIu32 " of %" PRIu32 " runs, worst %s", g->n_shown,
                           g->n_runs, verdict_rows[worst].name));
    return g->n_shown == 0;
}

/* Load the case with which the bucket was found. */
static enum res load_first(const struct rerun *x, struct reduce_subject *s, struct err *why)
{
    struct journal *const j = x->old->j;
    struct journal_finding f = {.case_index = 0};
    struct campaign_plan plan = {.gen_version = 0};
    TRY(journal_get_plan(j, x->own, &plan, why));
    TRY(journal_get_finding(j, x->b->id, x->own, &f, why));
    return reduce_load_finding(j, plan.gen_version, x->b->id, f.case_index, x->own, s, why);
}

/* Find out whether a bucket that only the earlier campaign has is still there: run its smallest case, then
 * its first one, as a change of the driver may miss the one and hit the other. The state says so, or why it
 * is unknown. */
static void run_again(struct rerun *x)
{
    struct journal *const j = x->old->j;
    struct reduce_subject s = {.has_tape = 0};
    struct err why = {RES_OK, ""};
    x->t = find_target(x->o->targets, x->b->target, x->own);
    if (!j || !x->t) {
        set_unknown(x, j ? "its target was not found" : "the earlier campaign has no journal");
        return;
    }
    bool const has_smallest =
        journal_get_smallest(j, x->b->id, x->own, &s.tc, &s.ob, &why) == RES_OK;
    if (has_smallest && !run_case(x, &s)) {
        return;
    }
    if (load_first(x, &s, &why) == RES_OK) {
        (void)run_case(x, &s);
    } else if (!has_smallest) {
        set_unknown(x, why.text);
    }
}

static void say(const struct baseline_options *o, const struct campaign_gone *g, struct arena *a)
{
    progress_say(o->progress, "gone: %s: %s: %s; %s", printable_copy_line(a, g->target),
                 printable_copy_line(a, g->signature), baseline_names[g->state],
                 printable_copy_line(a, g->why));
}

/* List in c->gone the buckets that only the earlier campaign has (is_seen[i] is 0), and run their cases again while
 * there is time. The state of each entry says what its run showed. o->targets NULL: nothing is to be run. Arena
 * `own` holds one case at a time, arena `a` what stays in the list. */
static void list_gone(struct campaign *c, const struct old *old, const unsigned char *is_seen,
                      const struct baseline_options *o, struct arena *a)
{
    struct arena own;
    uint64_t const until = child_now_ns() + o->max_ns;
    arena_init(&own, BASELINE_ARENA_BYTES);
    for (uint32_t i = 0; i < old->n; i++) {
        const struct old_bucket *b = &old->buckets[i];
        if (is_seen[i]) {
            continue;
        }
        char count[48];
        (void)snprintf(count, sizeof count, "OLD's findings again: %" PRIu32 " of %" PRIu32, i + 1,
                       old->n);
        const char *const parts[] = {count, b->target, b->signature};
        progress_show(o->progress, parts, ARRAY_N(parts));
        struct campaign_gone *g = &c->gone[c->n_gone++];
        *g = (struct campaign_gone){.target = b->target,
                                    .verdict = b->verdict,
                                    .clause = b->clause,
                                    .signature = b->signature,
                                    .core = b->core,
                                    .family = signature_parse(b->signature, a).family};
        if (!o->targets) {
            set_state(g, BASELINE_UNKNOWN, "it was not run again");
        } else if (child_now_ns() >= until) {
            set_state(g, BASELINE_UNKNOWN, "there was no time left to run it again");
        } else {
            arena_reset(&own);
            run_again(&(struct rerun){.old = old, .b = b, .o = o, .g = g, .own = &own, .a = a});
        }
        say(o, g, a);
    }
    progress_clear(o->progress);
    arena_free(&own);
}

/* Mark the buckets of the campaign as new or as known, and the earlier ones that are seen again. */
static void mark(struct campaign *c, const struct old *old, unsigned char *is_seen)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct campaign_finding *f = &c->findings[i];
        const struct campaign_finding *head = &c->findings[f->bucket];
        if (campaign_is_violation(f)) {
            const struct old_bucket *b = find_old(old, find_name(c, f->target_id), head->core);
            f->baseline = b ? BASELINE_THERE : BASELINE_NEW;
            if (b) {
                is_seen[b - old->buckets] = 1;
            }
        }
    }
}

enum res baseline_compare(struct campaign *c, const char *path, const struct baseline_options *o,
                          struct arena *a, struct err *e)
{
    struct old old = {.j = NULL};
    enum res r = load_old(&old, path, a, e);
    unsigned char *is_seen = ARENA_NEW(a, unsigned char, (size_t)old.n + 1);
    c->gone = ARENA_NEW(a, struct campaign_gone, (size_t)old.n + 1);
    if (r == RES_OK && (!is_seen || !c->gone)) {
        r = err_set(e, RES_NOMEM, "no memory for the earlier campaign");
    }
    if (r == RES_OK) {
        c->baseline = path;
        c->n_gone = 0;
        mark(c, &old, is_seen);
        list_gone(c, &old, is_seen, o, a);
    }
    if (r == RES_OK && old.j && o->journal) {
        r = worse_compare(c, o->journal, &old.c, old.j, o->worse_percent, a, e);
    }
    journal_close(old.j);
    return r;
}
