/* reports/write/report_json.c -- a report for programs; keys are stable, counts beyond 2^63-1 are cut. */
#include "reports/write/report_json.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "fuzz/journal/journal_load.h"
#include "oracle/tables/tables.h"
#include "reports/model/figures.h"
#include "reports/model/json_tree.h"
#include "reports/model/max_error.h"

/* Raised when a key is renamed or loses its meaning; new keys leave it. */
enum {
    REPORT_JSON_VERSION = 2
};

static struct json_t *make_campaign(struct json_tree *b, const struct campaign *c)
{
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "profile", c->plan.profile);
    tree_put_text(b, o, "seed", arena_printf(b->a, "%" PRIu64, c->plan.seed));
    tree_put_count(b, o, "generator_version", c->plan.gen_version);
    tree_put_text(b, o, "made_by", c->generator);
    tree_put_text(b, o, "mpfr_version", c->mpfr_version);
    tree_put_text(b, o, "folder", c->folder);
    tree_put_text(b, o, "started", c->started);
    tree_put_text(b, o, "targets_asked_for", c->plan.targets);
    tree_put_count(b, o, "max_cases", c->plan.max_cases);
    tree_put_count(b, o, "max_ns", c->plan.max_ns);
    tree_put_count(b, o, "wall_ns", c->wall_ns);
    tree_put_count(b, o, "harness_cpu_ns", c->harness_cpu_ns);
    tree_put_count(b, o, "worker_cpu_ns", c->worker_cpu_ns);
    tree_put_share(b, o, "harness_cpu_share", c->harness_cpu_ns,
                   figures_sum(c->harness_cpu_ns, c->worker_cpu_ns));
    tree_put_count(b, o, "n_cases", c->n_cases);
    return o;
}

static struct json_t *make_verdicts(struct json_tree *b)
{
    static const char *const part_names[] = {
        [PART_OK] = "ok", [PART_INFO] = "information", [PART_VIOLATION] = "violation"};
    struct json_t *const list = tree_array();
    for (int k = 0; k < VERDICT_N; k++) {
        struct json_t *const o = tree_object();
        tree_put_text(b, o, "name", verdict_rows[k].name);
        tree_put_text(b, o, "part", part_names[verdict_rows[k].part]);
        tree_put_text(b, o, "text", verdict_rows[k].text);
        tree_append(b, list, o);
    }
    return list;
}

/* How much of the group operations that the target lists was run, and what was not. */
static struct json_t *make_groups(struct json_tree *b, const struct report_groups *g)
{
    struct json_t *const o = tree_object();
    struct json_t *const gaps = tree_array();
    tree_put_count(b, o, "n_listed", g->sums.n_listed);
    tree_put_count(b, o, "n_run", g->sums.n_run);
    tree_put_count(b, o, "n_rejected", g->sums.n_rejected);
    tree_put_count(b, o, "n_not_reached", g->sums.n_not_reached);
    for (uint32_t i = 0; i < g->sums.n_not_reached; i++) {
        struct json_t *const gap = tree_object();
        tree_put_text(b, gap, "op", g->gaps[i].op);
        tree_put_text(b, gap, "type", g->gaps[i].type);
        tree_put_text(b, gap, "storage", g->gaps[i].place);
        tree_append(b, gaps, gap);
    }
    tree_put(b, o, "not_reached", gaps);
    return o;
}

static void put_reductions(struct json_tree *b, struct json_t *o, const struct campaign_target *t)
{
    tree_put_count(b, o, "n_reductions", t->n_reductions);
    tree_put_count(b, o, "n_reductions_bounded", t->n_reductions_bounded);
    tree_put_count(b, o, "n_partial", t->n_partial);
    tree_put_share(b, o, "reductions_bounded_share", t->n_reductions_bounded, t->n_reductions);
}

static struct json_t *make_target(struct json_tree *b, const struct report_view *v, uint32_t i)
{
    const struct campaign_target *const t = &v->c->targets[i];
    struct json_t *const o = tree_object();
    struct json_t *const runs = tree_object();
    struct json_t *const profiles = tree_object();
    tree_put_text(b, o, "name", t->name);
    tree_put_lines(b, o, "facts", t->facts);
    tree_put_count(b, o, "n_runs", t->n_runs);
    tree_put_count(b, o, "n_unadvertised", t->n_unadvertised);
    tree_put_count(b, o, "n_skipped", t->n_skipped);
    for (int k = 0; k < VERDICT_N; k++) {
        tree_put_count(b, runs, verdict_rows[k].name, t->n_verdict[k]);
    }
    tree_put(b, o, "runs_by_verdict", runs);
    for (uint32_t k = 0; k < t->n_profiles && k < JOURNAL_MAX_PROFILES; k++) {
        tree_put_count(b, profiles, printable_copy(b->a, t->profiles[k].name),
                       t->profiles[k].n_runs);
    }
    tree_put(b, o, "runs_by_profile", profiles);
    tree_put_count(b, o, "n_judged", t->n_judged);
    tree_put_count(b, o, "n_sharp", t->n_sharp);
    tree_put_count(b, o, "n_anything", t->n_anything);
    tree_put_count(b, o, "n_inconclusive", t->n_inconclusive);
    tree_put_count(b, o, "n_bounded", t->n_bounded);
    tree_put_count(b, o, "n_contended", t->n_contended);
    tree_put_count(b, o, "n_ordered", t->n_ordered);
    tree_put_count(b, o, "n_interleaved", t->n_interleaved);
    put_reductions(b, o, t);
    tree_put_text(b, o, "max_error", max_error_names[max_error_of(v->c, i)]);
    if (v->groups) {
        tree_put(b, o, "groups", make_groups(b, &v->groups[i]));
    } else {
        tree_put_null(b, o, "groups");
    }
    tree_put_share(b, o, "sharp_share", t->n_sharp, t->n_judged);
    tree_put_share(b, o, "anything_share", t->n_anything, t->n_judged);
    tree_put_share(b, o, "interleaved_share", t->n_interleaved, t->n_contended);
    tree_put_real(b, o, "cases_per_s", t->cases_per_s);
    return o;
}

static struct json_t *make_clause(struct json_tree *b, const char *id)
{
    struct json_t *const o = tree_object();
    int const row = clause_find(id ? id : "");
    tree_put_text(b, o, "id", id);
    tree_put_text(b, o, "code", row < 0 ? "" : clause_rows[row].code);
    tree_put_text(b, o, "rule", row < 0 ? "" : clause_rows[row].text);
    return o;
}

static struct json_t *make_shown(struct json_tree *b, const struct campaign_triage *t)
{
    struct json_t *const o = tree_object();
    tree_put_count(b, o, "n_runs", t->n_runs);
    tree_put_count(b, o, "n_shown", t->n_shown);
    tree_put_count(b, o, "n_loaded_runs", t->n_loaded_runs);
    tree_put_count(b, o, "n_loaded_shown", t->n_loaded_shown);
    tree_put_bool(b, o, "is_flaky", t->is_flaky);
    tree_put_count(b, o, "n_instructions_before", t->n_before);
    tree_put_count(b, o, "n_instructions", t->n_after);
    tree_put_text(b, o, "twin", t->variant);
    tree_put_lines(b, o, "matrix", campaign_print_matrix(t, b->a));
    return o;
}

/* The bucket that it belongs to, and what is known of that; of a bucket's first finding the most. */
static void put_bucket(struct json_tree *b, struct json_t *o, const struct report_view *v,
                       const struct report_finding *x)
{
    const struct report_finding *const head = &v->findings[x->head];
    const struct campaign_finding *const f = x->raw;
    tree_put_int(b, o, "bucket", head->raw->id);
    tree_put_text(b, o, "core", head->raw->core);
    tree_put_text(b, o, "family", head->raw->family);
    tree_put_count(b, o, "n_all", head->n_all);
    tree_put_text(b, o, "baseline", baseline_names[f->baseline]);
    tree_put_text(b, o, "suppressed", f->expected ? f->expected->note : "");
    tree_put_text(b, o, "folder", x->folder);
    if (f->triage) {
        tree_put(b, o, "shown", make_shown(b, f->triage));
    } else {
        tree_put_null(b, o, "shown");
    }
}

static struct json_t *make_finding(struct json_tree *b, const struct report_view *v,
                                   const struct report_finding *x)
{
    const struct campaign_finding *const f = x->raw;
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "group", report_groups[x->group].badge);
    tree_put_text(b, o, "target", x->target ? x->target->name : "");
    tree_put_int(b, o, "id", f->id);
    tree_put_count(b, o, "case", f->case_index);
    tree_put_text(b, o, "class", f->class);
    tree_put_text(b, o, "verdict", f->verdict);
    tree_put(b, o, "clause", make_clause(b, f->clause));
    tree_put_text(b, o, "signature", f->signature);
    tree_put_text(b, o, "text", f->text);
    tree_put_text(b, o, "op", f->op);
    tree_put_text(b, o, "type", f->type);
    tree_put_text(b, o, "storage", f->storage);
    tree_put_text(b, o, "instruction", f->instruction);
    tree_put_text(b, o, "operands", f->operands);
    tree_put_text(b, o, "result", f->got);
    tree_put_text(b, o, "permitted", f->permitted);
    tree_put_text(b, o, "replay", f->replay);
    tree_put_lines(b, o, "log", f->log);
    tree_put_lines(b, o, "crash_frames", f->crash_signature);
    tree_put_count(b, o, "n_in_bucket", f->n_in_bucket);
    put_bucket(b, o, v, x);
    return o;
}

/* What the baseline alone has. */
static struct json_t *make_gone(struct json_tree *b, const struct campaign_gone *g)
{
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "state", baseline_names[g->state]);
    tree_put_text(b, o, "target", g->target);
    tree_put_text(b, o, "verdict", g->verdict);
    tree_put(b, o, "clause", make_clause(b, g->clause));
    tree_put_text(b, o, "signature", g->signature);
    tree_put_text(b, o, "core", g->core);
    tree_put_text(b, o, "family", g->family);
    tree_put_count(b, o, "n_runs", g->n_runs);
    tree_put_count(b, o, "n_shown", g->n_shown);
    tree_put_text(b, o, "why", g->why);
    return o;
}

static void put_baseline(struct json_tree *b, struct json_t *root, const struct report_view *v)
{
    struct json_t *const o = tree_object();
    struct json_t *const gone = tree_array();
    tree_put_text(b, o, "path", v->c->baseline);
    tree_put_text(b, o, "change", v->change);
    for (uint32_t i = 0; i < v->c->n_gone; i++) {
        tree_append(b, gone, make_gone(b, &v->c->gone[i]));
    }
    tree_put(b, o, "gone", gone);
    tree_put(b, root, "baseline", o);
}

static void put_suppressions(struct json_tree *b, struct json_t *root, const struct report_view *v)
{
    struct json_t *const o = tree_object();
    struct json_t *const rows = tree_array();
    tree_put_text(b, o, "path", v->c->expected);
    for (uint32_t i = 0; i < v->c->n_rows; i++) {
        const struct expected_failure *const row = &v->c->rows[i];
        struct json_t *const x = tree_object();
        tree_put_int(b, x, "line", row->line);
        tree_put_text(b, x, "state", v->rows.fact[i].label);
        tree_put_text(b, x, "target", row->target);
        tree_put_text(b, x, "version", row->version);
        tree_put_text(b, x, "signature", row->signature);
        tree_put_text(b, x, "clause", row->clause);
        tree_put_text(b, x, "note", row->note);
        tree_put_text(b, x, "expires", row->expires);
        tree_put_count(b, x, "n_seen", row->n_seen);
        tree_append(b, rows, x);
    }
    tree_put(b, o, "rows", rows);
    tree_put(b, root, "suppressions", o);
}

static struct json_t *make_coverage(struct json_tree *b, const struct campaign *c, uint32_t i)
{
    const struct campaign_coverage *const row = &c->coverage[i];
    const struct campaign_target *const target = report_find_target(c, row->target_id, NULL);
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "target", target ? target->name : "");
    tree_put_text(b, o, "op", row->op);
    tree_put_text(b, o, "type", row->type);
    tree_put_text(b, o, "storage", row->storage);
    tree_put_text(b, o, "outcome", row->outcome);
    tree_put_count(b, o, "n", row->n);
    tree_put_count(b, o, "n_sharp", row->n_sharp);
    tree_put_count(b, o, "n_anything", row->n_anything);
    tree_put_count(b, o, "n_bounded", row->n_bounded);
    tree_put_count(b, o, "n_divergent", row->n_divergent);
    return o;
}

static struct json_t *make_cross(struct json_tree *b, const struct campaign_cross *row)
{
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "op", row->op);
    tree_put_text(b, o, "target", row->target_a);
    tree_put_text(b, o, "other_target", row->target_b);
    tree_put_count(b, o, "n_cases", row->n_cases);
    tree_put_count(b, o, "example_case", row->example_case);
    tree_put_text(b, o, "replay", row->replay);
    return o;
}

static struct json_t *make_feature(struct json_tree *b, const struct campaign *c, uint32_t i)
{
    const struct campaign_feature *const row = &c->features[i];
    const struct campaign_target *const target = report_find_target(c, row->target_id, NULL);
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "target", target ? target->name : "");
    tree_put_text(b, o, "feature", row->feature);
    tree_put_count(b, o, "accepted", row->n_accepted);
    tree_put_count(b, o, "rejected", row->n_rejected);
    tree_put_count(b, o, "crashed", row->n_crashed);
    tree_put_count(b, o, "wrong_value", row->n_wrong);
    return o;
}

static struct json_t *make_divergence(struct json_tree *b, const struct report_view *v, uint32_t i)
{
    const struct report_clause *const row = &v->clauses[i];
    struct json_t *const o = tree_object();
    struct json_t *const list = tree_array();
    tree_put(b, o, "clause", make_clause(b, row->id));
    tree_put_count(b, o, "n_kinds", row->n_kinds);
    tree_put_count(b, o, "n", row->n_all);
    for (uint32_t k = 0; k < v->c->n_targets; k++) {
        struct json_t *const target = tree_object();
        tree_put_text(b, target, "target", v->c->targets[k].name);
        tree_put_count(b, target, "n", row->n[k]);
        tree_append(b, list, target);
    }
    tree_put(b, o, "targets", list);
    return o;
}

static void make_lists(struct json_tree *b, struct json_t *root, const struct report_view *v)
{
    const struct campaign *const c = v->c;
    struct json_t *const targets = tree_array();
    struct json_t *const findings = tree_array();
    struct json_t *const coverage = tree_array();
    struct json_t *const cross = tree_array();
    struct json_t *const divergences = tree_array();
    struct json_t *const features = tree_array();
    for (uint32_t i = 0; i < c->n_targets; i++) {
        tree_append(b, targets, make_target(b, v, i));
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        tree_append(b, findings, make_finding(b, v, &v->findings[i]));
    }
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        tree_append(b, coverage, make_coverage(b, c, i));
    }
    for (uint32_t i = 0; i < c->n_cross; i++) {
        tree_append(b, cross, make_cross(b, &c->cross[i]));
    }
    for (uint32_t i = 0; i < v->n_clauses; i++) {
        tree_append(b, divergences, make_divergence(b, v, i));
    }
    for (uint32_t i = 0; i < c->n_features; i++) {
        tree_append(b, features, make_feature(b, c, i));
    }
    tree_put(b, root, "targets", targets);
    tree_put(b, root, "findings", findings);
    tree_put(b, root, "coverage", coverage);
    tree_put(b, root, "cross_target", cross);
    tree_put(b, root, "divergences_by_clause", divergences);
    tree_put(b, root, "unadvertised", features);
}

enum res report_write_json(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct json_tree b = {.a = a, .ok = 1};
    struct json_t *const root = tree_object();
    tree_put_int(&b, root, "report_version", REPORT_JSON_VERSION);
    tree_put_text(&b, root, "headline", v->headline);
    tree_put(&b, root, "campaign", make_campaign(&b, v->c));
    tree_put(&b, root, "verdicts", make_verdicts(&b));
    make_lists(&b, root, v);
    if (v->c->baseline) {
        put_baseline(&b, root, v);
    }
    if (v->c->expected) {
        put_suppressions(&b, root, v);
    }
    return tree_print(&b, root, f, e);
}
