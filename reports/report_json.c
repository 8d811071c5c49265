/* reports/report_json.c -- a report for programs; keys are stable, counts beyond 2^63-1 are cut. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/printable.h"
#include "oracle/tables.h"
#include "reports/figures.h"
#include "reports/max_error.h"
#include "reports/report_view.h"

/* Raised when a key is renamed or loses its meaning; new keys leave it. */
enum {
    REPORT_JSON_VERSION = 1
};

/* A tree under construction. jansson's setters take a NULL value as failure and say so; ok keeps it. */
struct builder {
    struct arena *a;
    int ok;
};

static void put(struct builder *b, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        b->ok = 0;
    }
}

static void append(struct builder *b, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        b->ok = 0;
    }
}

static void put_string(struct builder *b, json_t *object, const char *key, const char *text)
{
    put(b, object, key, json_string(printable_copy(b->a, text)));
}

static void put_count(struct builder *b, json_t *object, const char *key, uint64_t n)
{
    put(b, object, key, json_integer(n < INT64_MAX ? (json_int_t)n : (json_int_t)INT64_MAX));
}

/* A share as a number 0..1, null where there is nothing to have a share of. */
static void put_share(struct builder *b, json_t *object, const char *key, uint64_t part,
                      uint64_t whole)
{
    put(b, object, key, whole ? json_real((double)part / (double)whole) : json_null());
}

/* A text of several lines, as an array of them. */
static void put_lines(struct builder *b, json_t *object, const char *key, const char *text)
{
    json_t *const lines = json_array();
    for (const char *line = NULL; (line = printable_take_line(b->a, &text)) != NULL;) {
        append(b, lines, json_string(line));
    }
    put(b, object, key, lines);
}

static json_t *make_campaign(struct builder *b, const struct campaign *c)
{
    json_t *const o = json_object();
    put_string(b, o, "profile", c->plan.profile);
    put_string(b, o, "seed", arena_printf(b->a, "%" PRIu64, c->plan.seed));
    put_count(b, o, "generator_version", c->plan.gen_version);
    put_string(b, o, "made_by", c->generator);
    put_string(b, o, "mpfr_version", c->mpfr_version);
    put_string(b, o, "folder", c->folder);
    put_string(b, o, "started", c->started);
    put_string(b, o, "targets_asked_for", c->plan.targets);
    put_count(b, o, "max_cases", c->plan.max_cases);
    put_count(b, o, "max_ns", c->plan.max_ns);
    put_count(b, o, "wall_ns", c->wall_ns);
    put_count(b, o, "harness_cpu_ns", c->harness_cpu_ns);
    put_count(b, o, "worker_cpu_ns", c->worker_cpu_ns);
    put_share(b, o, "harness_cpu_share", c->harness_cpu_ns,
              figures_sum(c->harness_cpu_ns, c->worker_cpu_ns));
    put_count(b, o, "n_cases", c->n_cases);
    return o;
}

static json_t *make_verdicts(struct builder *b)
{
    static const char *const part_names[] = {
        [PART_OK] = "ok", [PART_INFO] = "information", [PART_VIOLATION] = "violation"};
    json_t *const list = json_array();
    for (int k = 0; k < VERDICT_N; k++) {
        json_t *const o = json_object();
        put_string(b, o, "name", verdict_rows[k].name);
        put_string(b, o, "part", part_names[verdict_rows[k].part]);
        put_string(b, o, "text", verdict_rows[k].text);
        append(b, list, o);
    }
    return list;
}

/* How much of the group operations that the target lists was run, and what was not. */
static json_t *make_groups(struct builder *b, const struct report_groups *g)
{
    json_t *const o = json_object();
    json_t *const gaps = json_array();
    put_count(b, o, "n_listed", g->sums.n_listed);
    put_count(b, o, "n_run", g->sums.n_run);
    put_count(b, o, "n_rejected", g->sums.n_rejected);
    put_count(b, o, "n_not_reached", g->sums.n_not_reached);
    for (uint32_t i = 0; i < g->sums.n_not_reached; i++) {
        json_t *const gap = json_object();
        put_string(b, gap, "op", g->gaps[i].op);
        put_string(b, gap, "type", g->gaps[i].type);
        put_string(b, gap, "storage", g->gaps[i].place);
        append(b, gaps, gap);
    }
    put(b, o, "not_reached", gaps);
    return o;
}

static void put_reductions(struct builder *b, json_t *o, const struct campaign_target *t)
{
    put_count(b, o, "n_reductions", t->n_reductions);
    put_count(b, o, "n_reductions_bounded", t->n_reductions_bounded);
    put_count(b, o, "n_partial", t->n_partial);
    put_share(b, o, "reductions_bounded_share", t->n_reductions_bounded, t->n_reductions);
}

static json_t *make_target(struct builder *b, const struct report_view *v, uint32_t i)
{
    const struct campaign_target *const t = &v->c->targets[i];
    json_t *const o = json_object();
    json_t *const runs = json_object();
    json_t *const profiles = json_object();
    put_string(b, o, "name", t->name);
    put_lines(b, o, "facts", t->facts);
    put_count(b, o, "n_runs", t->n_runs);
    put_count(b, o, "n_unadvertised", t->n_unadvertised);
    put_count(b, o, "n_skipped", t->n_skipped);
    for (int k = 0; k < VERDICT_N; k++) {
        put_count(b, runs, verdict_rows[k].name, t->n_verdict[k]);
    }
    put(b, o, "runs_by_verdict", runs);
    for (uint32_t k = 0; k < t->n_profiles && k < JOURNAL_MAX_PROFILES; k++) {
        put_count(b, profiles, printable_copy(b->a, t->profiles[k].name), t->profiles[k].n_runs);
    }
    put(b, o, "runs_by_profile", profiles);
    put_count(b, o, "n_judged", t->n_judged);
    put_count(b, o, "n_sharp", t->n_sharp);
    put_count(b, o, "n_anything", t->n_anything);
    put_count(b, o, "n_inconclusive", t->n_inconclusive);
    put_count(b, o, "n_bounded", t->n_bounded);
    put_count(b, o, "n_contended", t->n_contended);
    put_count(b, o, "n_ordered", t->n_ordered);
    put_count(b, o, "n_interleaved", t->n_interleaved);
    put_reductions(b, o, t);
    put_string(b, o, "max_error", max_error_names[max_error_of(v->c, i)]);
    put(b, o, "groups", v->groups ? make_groups(b, &v->groups[i]) : json_null());
    put_share(b, o, "sharp_share", t->n_sharp, t->n_judged);
    put_share(b, o, "anything_share", t->n_anything, t->n_judged);
    put_share(b, o, "interleaved_share", t->n_interleaved, t->n_contended);
    put(b, o, "cases_per_s", isfinite(t->cases_per_s) ? json_real(t->cases_per_s) : json_null());
    return o;
}

static json_t *make_clause(struct builder *b, const char *id)
{
    json_t *const o = json_object();
    int const row = clause_find(id ? id : "");
    put_string(b, o, "id", id);
    put_string(b, o, "code", row < 0 ? "" : clause_rows[row].code);
    put_string(b, o, "rule", row < 0 ? "" : clause_rows[row].text);
    return o;
}

static json_t *make_finding(struct builder *b, const struct report_finding *x)
{
    const struct campaign_finding *const f = x->raw;
    json_t *const o = json_object();
    put_string(b, o, "group", report_groups[x->group].badge);
    put_string(b, o, "target", x->target ? x->target->name : "");
    put(b, o, "id", json_integer(f->id));
    put_count(b, o, "case", f->case_index);
    put_string(b, o, "class", f->class);
    put_string(b, o, "verdict", f->verdict);
    put(b, o, "clause", make_clause(b, f->clause));
    put_string(b, o, "signature", f->signature);
    put_string(b, o, "text", f->text);
    put_string(b, o, "op", f->op);
    put_string(b, o, "type", f->type);
    put_string(b, o, "storage", f->storage);
    put_string(b, o, "instruction", f->instruction);
    put_string(b, o, "operands", f->operands);
    put_string(b, o, "result", f->got);
    put_string(b, o, "permitted", f->permitted);
    put_string(b, o, "replay", f->replay);
    put_lines(b, o, "log", f->log);
    put_lines(b, o, "crash_frames", f->crash_signature);
    put_count(b, o, "n_in_bucket", f->n_in_bucket);
    return o;
}

static json_t *make_coverage(struct builder *b, const struct campaign *c, uint32_t i)
{
    const struct campaign_coverage *const row = &c->coverage[i];
    const struct campaign_target *const target = report_find_target(c, row->target_id, NULL);
    json_t *const o = json_object();
    put_string(b, o, "target", target ? target->name : "");
    put_string(b, o, "op", row->op);
    put_string(b, o, "type", row->type);
    put_string(b, o, "storage", row->storage);
    put_string(b, o, "outcome", row->outcome);
    put_count(b, o, "n", row->n);
    put_count(b, o, "n_sharp", row->n_sharp);
    put_count(b, o, "n_anything", row->n_anything);
    put_count(b, o, "n_bounded", row->n_bounded);
    put_count(b, o, "n_divergent", row->n_divergent);
    return o;
}

static json_t *make_cross(struct builder *b, const struct campaign_cross *row)
{
    json_t *const o = json_object();
    put_string(b, o, "op", row->op);
    put_string(b, o, "target", row->target_a);
    put_string(b, o, "other_target", row->target_b);
    put_count(b, o, "n_cases", row->n_cases);
    put_count(b, o, "example_case", row->example_case);
    put_string(b, o, "replay", row->replay);
    return o;
}

static json_t *make_feature(struct builder *b, const struct campaign *c, uint32_t i)
{
    const struct campaign_feature *const row = &c->features[i];
    const struct campaign_target *const target = report_find_target(c, row->target_id, NULL);
    json_t *const o = json_object();
    put_string(b, o, "target", target ? target->name : "");
    put_string(b, o, "feature", row->feature);
    put_count(b, o, "accepted", row->n_accepted);
    put_count(b, o, "rejected", row->n_rejected);
    put_count(b, o, "crashed", row->n_crashed);
    put_count(b, o, "wrong_value", row->n_wrong);
    return o;
}

static json_t *make_divergence(struct builder *b, const struct report_view *v, uint32_t i)
{
    const struct report_clause *const row = &v->clauses[i];
    json_t *const o = json_object();
    json_t *const list = json_array();
    put(b, o, "clause", make_clause(b, row->id));
    put_count(b, o, "n_kinds", row->n_kinds);
    put_count(b, o, "n", row->n_all);
    for (uint32_t k = 0; k < v->c->n_targets; k++) {
        json_t *const target = json_object();
        put_string(b, target, "target", v->c->targets[k].name);
        put_count(b, target, "n", row->n[k]);
        append(b, list, target);
    }
    put(b, o, "targets", list);
    return o;
}

static void make_lists(struct builder *b, json_t *root, const struct report_view *v)
{
    const struct campaign *const c = v->c;
    json_t *const targets = json_array();
    json_t *const findings = json_array();
    json_t *const coverage = json_array();
    json_t *const cross = json_array();
    json_t *const divergences = json_array();
    json_t *const features = json_array();
    for (uint32_t i = 0; i < c->n_targets; i++) {
        append(b, targets, make_target(b, v, i));
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        append(b, findings, make_finding(b, &v->findings[i]));
    }
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        append(b, coverage, make_coverage(b, c, i));
    }
    for (uint32_t i = 0; i < c->n_cross; i++) {
        append(b, cross, make_cross(b, &c->cross[i]));
    }
    for (uint32_t i = 0; i < v->n_clauses; i++) {
        append(b, divergences, make_divergence(b, v, i));
    }
    for (uint32_t i = 0; i < c->n_features; i++) {
        append(b, features, make_feature(b, c, i));
    }
    put(b, root, "targets", targets);
    put(b, root, "findings", findings);
    put(b, root, "coverage", coverage);
    put(b, root, "cross_target", cross);
    put(b, root, "divergences_by_clause", divergences);
    put(b, root, "unadvertised", features);
}

enum res report_write_json(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    enum res r = RES_OK;
    struct builder b = {.a = a, .ok = 1};
    json_t *const root = json_object();
    put(&b, root, "report_version", json_integer(REPORT_JSON_VERSION));
    put_string(&b, root, "headline", v->headline);
    put(&b, root, "campaign", make_campaign(&b, v->c));
    put(&b, root, "verdicts", make_verdicts(&b));
    make_lists(&b, root, v);
    if (!b.ok) {
        r = err_set(e, RES_NOMEM, "report: no memory for its JSON");
    } else if (json_dumpf(root, f, JSON_INDENT(1)) != 0 || fputc('\n', f) == EOF) {
        r = err_set(e, RES_IO, "report: writing the JSON stopped");
    }
    json_decref(root);
    return r;
}
