/* reports/write/report_json.c -- a report for programs; keys are stable, counts beyond 2^63-1 are cut. */
#include "reports/write/report_json.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "fuzz/io/json.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "oracle/tables/tables.h"
#include "reports/model/figures.h"
#include "reports/model/max_error.h"

/* Raised when a key is renamed or loses its meaning; new keys leave it. */
enum {
    REPORT_JSON_VERSION = 2
};

/* A share as a number of 0 to 1, null where there is nothing to have a share of. */
static void put_share(struct json *o, const char *key, uint64_t part, uint64_t whole)
{
    if (whole > 0) {
        json_put_real(o, key, (double)part / (double)whole);
    } else {
        json_put_null(o, key);
    }
}

/* A text of several lines, as a list of them. */
static void put_lines(struct arena *a, struct json *o, const char *key, const char *text)
{
    struct json *const lines = json_new_array();
    for (const char *line = NULL; (line = printable_take_line(a, &text)) != NULL;) {
        json_push_text(lines, line);
    }
    json_put(o, key, lines);
}

/* n objects, each by its index, as the list of that key. */
typedef struct json *make_item(struct arena *a, const struct report_view *v, uint32_t i);
static void put_list(struct json *o, const char *key, uint32_t n, make_item *make, struct arena *a,
                     const struct report_view *v)
{
    struct json *const list = json_new_array();
    for (uint32_t i = 0; i < n; i++) {
        json_push(list, make(a, v, i));
    }
    json_put(o, key, list);
}

static const char *name_target(const struct report_view *v, int64_t id)
{
    const struct campaign_target *const target = report_find_target(v->c, id, NULL);
    return target ? target->name : "";
}

/* The campaign itself as JSON. The seed is a string, as a number of 64 bits is more than many readers
 * keep. */
static struct json *make_campaign(struct arena *a, const struct campaign *c)
{
    struct json *const o = json_new_object();
    json_put_line(o, "profile", c->plan.profile);
    json_put_line(o, "seed", arena_printf(a, "%" PRIu64, c->plan.seed));
    json_put_number(o, "generator_version", c->plan.gen_version);
    json_put_line(o, "made_by", c->generator);
    json_put_line(o, "mpfr_version", c->mpfr_version);
    json_put_line(o, "folder", c->folder);
    json_put_line(o, "started", c->started);
    json_put_line(o, "targets_asked_for", c->plan.targets);
    json_put_number(o, "max_cases", c->plan.max_cases);
    json_put_number(o, "max_ns", c->plan.max_ns);
    json_put_number(o, "wall_ns", c->wall_ns);
    json_put_number(o, "harness_cpu_ns", c->harness_cpu_ns);
    json_put_number(o, "worker_cpu_ns", c->worker_cpu_ns);
    put_share(o, "harness_cpu_share", c->harness_cpu_ns,
              figures_sum(c->harness_cpu_ns, c->worker_cpu_ns));
    json_put_number(o, "n_cases", c->n_cases);
    return o;
}

static struct json *make_verdict(struct arena *a, const struct report_view *v, uint32_t i)
{
    static const char *const part_names[] = {
        [PART_OK] = "ok", [PART_INFO] = "information", [PART_VIOLATION] = "violation"};
    struct json *const o = json_new_object();
    (void)a, (void)v;
    json_put_line(o, "name", verdict_rows[i].name);
    json_put_line(o, "part", part_names[verdict_rows[i].part]);
    json_put_line(o, "text", verdict_rows[i].text);
    return o;
}

/* How much of the group operations that the target lists was run, and what was not. */
static struct json *make_groups(const struct report_groups *g)
{
    struct json *const o = json_new_object();
    struct json *const gaps = json_new_array();
    json_put_number(o, "n_listed", g->sums.n_listed);
    json_put_number(o, "n_run", g->sums.n_run);
    json_put_number(o, "n_rejected", g->sums.n_rejected);
    json_put_number(o, "n_not_reached", g->sums.n_not_reached);
    for (uint32_t i = 0; i < g->sums.n_not_reached; i++) {
        struct json *const gap = json_new_object();
        json_put_line(gap, "op", g->gaps[i].op);
        json_put_line(gap, "type", g->gaps[i].type);
        json_put_line(gap, "storage", g->gaps[i].storage);
        json_push(gaps, gap);
    }
    json_put(o, "not_reached", gaps);
    return o;
}

static void put_reductions(struct json *o, const struct campaign_target *t)
{
    json_put_number(o, "n_reductions", t->n_reductions);
    json_put_number(o, "n_reductions_bounded", t->n_reductions_bounded);
    json_put_number(o, "n_partial", t->n_partial);
    put_share(o, "reductions_bounded_share", t->n_reductions_bounded, t->n_reductions);
}

/* Target i as JSON: its facts, its counts, and shares of them, null where there is nothing to have a share
 * of. */
static struct json *make_target(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_target *const t = &v->c->targets[i];
    struct json *const o = json_new_object();
    struct json *const runs = json_new_object();
    struct json *const profiles = json_new_object();
    json_put_line(o, "name", t->name);
    put_lines(a, o, "facts", t->facts);
    json_put_number(o, "n_runs", t->n_runs);
    json_put_number(o, "n_unadvertised", t->n_unadvertised);
    json_put_number(o, "n_skipped", t->n_skipped);
    for (int k = 0; k < VERDICT_N; k++) {
        json_put_number(runs, verdict_rows[k].name, t->n_verdict[k]);
    }
    json_put(o, "runs_by_verdict", runs);
    for (uint32_t k = 0; k < t->n_profiles && k < JOURNAL_MAX_PROFILES; k++) {
        json_put_number(profiles, printable_copy(a, t->profiles[k].name), t->profiles[k].n_runs);
    }
    json_put(o, "runs_by_profile", profiles);
    json_put_number(o, "n_judged", t->n_judged);
    json_put_number(o, "n_sharp", t->n_sharp);
    json_put_number(o, "n_anything", t->n_anything);
    json_put_number(o, "n_inconclusive", t->n_inconclusive);
    json_put_number(o, "n_unconfined_runs", t->n_unconfined);
    json_put_number(o, "n_slow_builds", t->n_slow);
    json_put_number(o, "n_bounded", t->n_bounded);
    json_put_number(o, "n_contended", t->n_contended);
    json_put_number(o, "n_ordered", t->n_ordered);
    json_put_number(o, "n_interleaved", t->n_interleaved);
    put_reductions(o, t);
    json_put_line(o, "max_error", max_error_names[max_error_of(v->c, i)]);
    if (v->groups) {
        json_put(o, "groups", make_groups(&v->groups[i]));
    } else {
        json_put_null(o, "groups");
    }
    put_share(o, "sharp_share", t->n_sharp, t->n_judged);
    put_share(o, "anything_share", t->n_anything, t->n_judged);
    put_share(o, "interleaved_share", t->n_interleaved, t->n_contended);
    json_put_real(o, "cases_per_s", t->cases_per_s);
    return o;
}

static struct json *make_clause(const char *id)
{
    struct json *const o = json_new_object();
    int const row = clause_find(id ? id : "");
    json_put_line(o, "id", id);
    json_put_line(o, "code", row < 0 ? "" : clause_rows[row].code);
    json_put_line(o, "rule", row < 0 ? "" : clause_rows[row].text);
    return o;
}

static struct json *make_shown(struct arena *a, const struct campaign_triage *t)
{
    struct json *const o = json_new_object();
    json_put_number(o, "n_runs", t->n_runs);
    json_put_number(o, "n_shown", t->n_shown);
    json_put_number(o, "n_loaded_runs", t->n_loaded_runs);
    json_put_number(o, "n_loaded_shown", t->n_loaded_shown);
    json_put_bool(o, "is_flaky", t->is_flaky);
    json_put_number(o, "n_instructions_before", t->n_before);
    json_put_number(o, "n_instructions", t->n_after);
    json_put_line(o, "twin", t->variant);
    json_put_line(o, "explained_by", t->cause);
    json_put_line(o, "bug", t->bug);
    json_put_line(o, "first_wrong", t->first_wrong);
    put_lines(a, o, "matrix", campaign_print_matrix(t, a));
    return o;
}

/* The bucket that it belongs to, and what is known of that; of a bucket's first finding the most. */
static void put_bucket(struct arena *a, struct json *o, const struct report_view *v,
                       const struct report_finding *x)
{
    const struct report_finding *const head = &v->findings[x->head];
    const struct campaign_finding *const f = x->raw;
    json_put_int(o, "bucket", head->raw->id);
    json_put_line(o, "core", head->raw->core);
    json_put_line(o, "family", head->raw->family);
    json_put_number(o, "n_all", head->n_all);
    json_put_line(o, "baseline", baseline_names[f->baseline]);
    json_put_line(o, "suppressed", f->expected ? f->expected->note : "");
    json_put_line(o, "folder", x->folder);
    if (f->triage) {
        json_put(o, "shown", make_shown(a, f->triage));
    } else {
        json_put_null(o, "shown");
    }
}

/* A finding as JSON, put_bucket adds what is known of its bucket. */
static struct json *make_finding(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct report_finding *const x = &v->findings[i];
    const struct campaign_finding *const f = x->raw;
    struct json *const o = json_new_object();
    json_put_line(o, "group", report_groups[x->group].badge);
    json_put_line(o, "target", x->target ? x->target->name : "");
    json_put_int(o, "id", f->id);
    json_put_number(o, "case", f->case_index);
    json_put_line(o, "kernel", f->kernel ? f->kernel : "");
    json_put_line(o, "class", f->class);
    json_put_line(o, "verdict", f->verdict);
    json_put(o, "clause", make_clause(f->clause));
    json_put_line(o, "signature", f->signature);
    json_put_line(o, "text", f->text);
    json_put_line(o, "op", f->op);
    json_put_line(o, "type", f->type);
    json_put_line(o, "storage", f->storage);
    json_put_line(o, "instruction", f->instruction);
    json_put_line(o, "operands", f->operands);
    json_put_line(o, "result", f->got);
    json_put_line(o, "permitted", f->permitted);
    json_put_line(o, "replay", f->replay);
    put_lines(a, o, "log", f->log);
    put_lines(a, o, "crash_frames", f->crash_signature);
    json_put_number(o, "n_in_bucket", f->n_in_bucket);
    put_bucket(a, o, v, x);
    return o;
}

/* A bug as the first page lists it; "finding" is its id among the findings. */
static struct json *make_bug(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct report_bug *const b = &v->bugs[i];
    const struct report_finding *const x = &v->findings[b->at];
    struct json *const o = json_new_object();
    (void)a;
    json_put_int(o, "finding", x->raw->id);
    json_put_line(o, "list", report_shelves[b->shelf].id);
    json_put_line(o, "title", b->title);
    json_put_line(o, "harm", b->harm);
    json_put_line(o, "target", x->target ? x->target->name : "");
    json_put_line(o, "core", x->raw->core);
    json_put_line(o, "state", b->state);
    json_put_line(o, "since", x->raw->since);
    json_put_line(o, "note", b->remark);
    json_put_number(o, "n_cases", x->raw->n_cases);
    json_put_line(o, "folder", b->folder);
    return o;
}

static struct json *make_night(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_night *const night = &v->c->nights[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "night", night->name);
    json_put_number(o, "n_new", night->n_new);
    json_put_number(o, "n_open", night->n_open);
    json_put_number(o, "n_fixed", night->n_fixed);
    return o;
}

/* A row of the list of states, and how many bugs of this campaign it fits. */
static struct json *make_state(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct bug_state *const row = &v->c->state_rows[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_int(o, "line", row->line);
    json_put_line(o, "target", row->targets);
    json_put_line(o, "signature", row->signature);
    json_put_line(o, "state", bug_state_names[row->kind]);
    json_put_line(o, "detail", row->detail);
    json_put_line(o, "note", row->note);
    json_put_number(o, "n_seen", row->n_seen);
    return o;
}

/* A statistic of a compiler, in both campaigns. */
static struct json *make_statistic(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_statistic *const x = &v->c->statistics[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "target", x->target);
    json_put_line(o, "old_target", x->old_target);
    json_put_line(o, "name", x->name);
    json_put_bool(o, "is_time", x->is_time);
    json_put_number(o, "n_cases", x->n_cases);
    json_put_number(o, "before", x->before);
    json_put_number(o, "after", x->after);
    json_put_number(o, "n_worse", x->n_worse);
    if (x->n_worse > 0) {
        json_put_number(o, "worst_case", x->worst_case);
        json_put_number(o, "worst_before", x->worst_before);
        json_put_number(o, "worst_after", x->worst_after);
        json_put_line(o, "replay", x->replay);
    }
    return o;
}

/* What the baseline alone has. */
static struct json *make_gone(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_gone *const g = &v->c->gone[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "state", baseline_names[g->state]);
    json_put_line(o, "target", g->target);
    json_put_line(o, "verdict", g->verdict);
    json_put(o, "clause", make_clause(g->clause));
    json_put_line(o, "signature", g->signature);
    json_put_line(o, "core", g->core);
    json_put_line(o, "family", g->family);
    json_put_number(o, "n_runs", g->n_runs);
    json_put_number(o, "n_shown", g->n_shown);
    json_put_line(o, "why", g->why);
    return o;
}

/* A row of the list of expected failures, with its state and how many findings it fits. */
static struct json *make_suppression(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct expected_failure *const row = &v->c->rows[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_int(o, "line", row->line);
    json_put_line(o, "state", v->rows.fact[i].label);
    json_put_line(o, "target", row->targets);
    json_put_line(o, "version", row->versions);
    json_put_line(o, "signature", row->signature);
    json_put_line(o, "clause", row->clause);
    json_put_line(o, "note", row->note);
    json_put_line(o, "expires", row->expires);
    json_put_number(o, "n_seen", row->n_seen);
    return o;
}

static struct json *make_coverage(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_coverage *const row = &v->c->coverage[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "target", name_target(v, row->target_id));
    json_put_line(o, "op", row->op);
    json_put_line(o, "type", row->type);
    json_put_line(o, "storage", row->storage);
    json_put_line(o, "outcome", row->outcome);
    json_put_number(o, "n", row->n);
    json_put_number(o, "n_sharp", row->n_sharp);
    json_put_number(o, "n_anything", row->n_anything);
    json_put_number(o, "n_bounded", row->n_bounded);
    json_put_number(o, "n_divergent", row->n_divergent);
    return o;
}

static struct json *make_cross(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_cross *const row = &v->c->cross[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "op", row->op);
    json_put_line(o, "target", row->target_a);
    json_put_line(o, "other_target", row->target_b);
    json_put_number(o, "n_cases", row->n_cases);
    json_put_number(o, "example_case", row->example_case);
    json_put_line(o, "replay", row->replay);
    return o;
}

static struct json *make_feature(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_feature *const row = &v->c->features[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "target", name_target(v, row->target_id));
    json_put_line(o, "feature", row->feature);
    json_put_number(o, "accepted", row->n_accepted);
    json_put_number(o, "rejected", row->n_rejected);
    json_put_number(o, "crashed", row->n_crashed);
    json_put_number(o, "wrong_value", row->n_wrong);
    return o;
}

static struct json *make_slow(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_slow_build *const row = &v->c->slow[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "target", name_target(v, row->target_id));
    json_put_number(o, "case", row->case_index);
    json_put_real(o, "seconds", (double)row->build_ns / 1e9);
    json_put_number(o, "words", row->n_words);
    json_put_line(o, "replay", row->replay ? row->replay : "");
    return o;
}

static struct json *make_unexecuted(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_unexecuted *const row = &v->c->unexecuted[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "target", name_target(v, row->target_id));
    json_put_line(o, "reason", row->reason);
    json_put_number(o, "runs", row->n);
    return o;
}

static struct json *make_divergence(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct report_clause *const row = &v->clauses[i];
    struct json *const o = json_new_object();
    (void)a;
    struct json *const list = json_new_array();
    json_put(o, "clause", make_clause(row->id));
    json_put_number(o, "n_kinds", row->n_kinds);
    json_put_number(o, "n", row->n_all);
    for (uint32_t k = 0; k < v->c->n_targets; k++) {
        struct json *const target = json_new_object();
        json_put_line(target, "target", v->c->targets[k].name);
        json_put_number(target, "n", row->n[k]);
        json_push(list, target);
    }
    json_put(o, "targets", list);
    return o;
}

/* A pair of verdicts that one driver gave the same programs, as modules and from source. */
static struct json *make_language(struct arena *a, const struct report_view *v, uint32_t i)
{
    const struct campaign_language *const row = &v->c->languages[i];
    struct json *const o = json_new_object();
    (void)a;
    json_put_line(o, "target", row->target);
    json_put_line(o, "source_target", row->source_target);
    json_put_line(o, "verdict", row->verdict);
    json_put_line(o, "source_verdict", row->source_verdict);
    json_put_number(o, "n_cases", row->n_cases);
    json_put_number(o, "example_case", row->example_case);
    return o;
}

/* What came of a list of rows in a file. */
static void put_file(struct json *root, const char *key, const char *path, uint32_t n,
                     make_item *make, struct arena *a, const struct report_view *v)
{
    struct json *const o = json_new_object();
    json_put_line(o, "path", path);
    put_list(o, "rows", n, make, a, v);
    json_put(root, key, o);
}

/* Lists that come from files of the user (nights, states, an earlier campaign, known bugs) are left out where no
 * such file was given. An empty list means that the file holds nothing that is shown. */
enum res report_write_json(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    const struct campaign *const c = v->c;
    struct json *const root = json_new_object();
    json_put_int(root, "report_version", REPORT_JSON_VERSION);
    json_put_line(root, "headline", v->headline);
    json_put(root, "campaign", make_campaign(a, v->c));
    put_list(root, "verdicts", VERDICT_N, make_verdict, a, v);
    put_list(root, "bugs", v->n_bugs, make_bug, a, v);
    put_list(root, "targets", c->n_targets, make_target, a, v);
    put_list(root, "findings", v->n_findings, make_finding, a, v);
    put_list(root, "coverage", c->n_coverage, make_coverage, a, v);
    put_list(root, "cross_target", c->n_cross, make_cross, a, v);
    put_list(root, "from_source", c->n_languages, make_language, a, v);
    put_list(root, "divergences_by_clause", v->n_clauses, make_divergence, a, v);
    put_list(root, "unadvertised", c->n_features, make_feature, a, v);
    put_list(root, "without_values", c->n_unexecuted, make_unexecuted, a, v);
    put_list(root, "slow_builds", c->n_slow, make_slow, a, v);
    if (c->n_nights) {
        put_list(root, "nights", c->n_nights, make_night, a, v);
    }
    if (c->states) {
        put_file(root, "states", c->states, c->n_states, make_state, a, v);
    }
    if (c->baseline) {
        struct json *const o = json_new_object();
        json_put_line(o, "path", c->baseline);
        json_put_line(o, "change", v->change);
        put_list(o, "gone", c->n_gone, make_gone, a, v);
        json_put_number(o, "worse_percent", c->worse_percent);
        put_list(o, "statistics", c->n_statistics, make_statistic, a, v);
        json_put(root, "baseline", o);
    }
    if (c->expected) {
        put_file(root, "suppressions", c->expected, c->n_rows, make_suppression, a, v);
    }
    enum res const r = json_print(root, JSON_NARROW_PAGE, f, e);
    json_free(root);
    return r;
}
