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

static struct json *make_verdicts(void)
{
    static const char *const part_names[] = {
        [PART_OK] = "ok", [PART_INFO] = "information", [PART_VIOLATION] = "violation"};
    struct json *const list = json_new_array();
    for (int k = 0; k < VERDICT_N; k++) {
        struct json *const o = json_new_object();
        json_put_line(o, "name", verdict_rows[k].name);
        json_put_line(o, "part", part_names[verdict_rows[k].part]);
        json_put_line(o, "text", verdict_rows[k].text);
        json_push(list, o);
    }
    return list;
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
        json_put_line(gap, "storage", g->gaps[i].place);
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
static struct json *make_finding(struct arena *a, const struct report_view *v,
                                 const struct report_finding *x)
{
    const struct campaign_finding *const f = x->raw;
    struct json *const o = json_new_object();
    json_put_line(o, "group", report_groups[x->group].badge);
    json_put_line(o, "target", x->target ? x->target->name : "");
    json_put_int(o, "id", f->id);
    json_put_number(o, "case", f->case_index);
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
static struct json *make_bug(const struct report_view *v, const struct report_bug *b)
{
    const struct report_finding *const x = &v->findings[b->at];
    struct json *const o = json_new_object();
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

static void put_bugs(struct json *root, const struct report_view *v)
{
    struct json *const list = json_new_array();
    for (uint32_t i = 0; i < v->n_bugs; i++) {
        json_push(list, make_bug(v, &v->bugs[i]));
    }
    json_put(root, "bugs", list);
}

static void put_nights(struct json *root, const struct campaign *c)
{
    struct json *const list = json_new_array();
    for (uint32_t i = 0; i < c->n_nights; i++) {
        struct json *const o = json_new_object();
        json_put_line(o, "night", c->nights[i].name);
        json_put_number(o, "n_new", c->nights[i].n_new);
        json_put_number(o, "n_open", c->nights[i].n_open);
        json_put_number(o, "n_fixed", c->nights[i].n_fixed);
        json_push(list, o);
    }
    json_put(root, "nights", list);
}

/* The list of states: each row, and how many bugs of this campaign it fits. */
static void put_states(struct json *root, const struct campaign *c)
{
    struct json *const o = json_new_object();
    struct json *const rows = json_new_array();
    json_put_line(o, "path", c->states);
    for (uint32_t i = 0; i < c->n_states; i++) {
        const struct bug_state *const row = &c->state_rows[i];
        struct json *const x = json_new_object();
        json_put_int(x, "line", row->line);
        json_put_line(x, "target", row->targets);
        json_put_line(x, "signature", row->signature);
        json_put_line(x, "state", bug_state_names[row->kind]);
        json_put_line(x, "detail", row->detail);
        json_put_line(x, "note", row->note);
        json_put_number(x, "n_seen", row->n_seen);
        json_push(rows, x);
    }
    json_put(o, "rows", rows);
    json_put(root, "states", o);
}

/* What the baseline alone has. */
static struct json *make_gone(const struct campaign_gone *g)
{
    struct json *const o = json_new_object();
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

static void put_baseline(struct json *root, const struct report_view *v)
{
    struct json *const o = json_new_object();
    struct json *const gone = json_new_array();
    json_put_line(o, "path", v->c->baseline);
    json_put_line(o, "change", v->change);
    for (uint32_t i = 0; i < v->c->n_gone; i++) {
        json_push(gone, make_gone(&v->c->gone[i]));
    }
    json_put(o, "gone", gone);
    json_put(root, "baseline", o);
}

/* Put the list of expected failures as JSON: each row with its state and how many findings it fits. */
static void put_suppressions(struct json *root, const struct report_view *v)
{
    struct json *const o = json_new_object();
    struct json *const rows = json_new_array();
    json_put_line(o, "path", v->c->expected);
    for (uint32_t i = 0; i < v->c->n_rows; i++) {
        const struct expected_failure *const row = &v->c->rows[i];
        struct json *const x = json_new_object();
        json_put_int(x, "line", row->line);
        json_put_line(x, "state", v->rows.fact[i].label);
        json_put_line(x, "target", row->targets);
        json_put_line(x, "version", row->versions);
        json_put_line(x, "signature", row->signature);
        json_put_line(x, "clause", row->clause);
        json_put_line(x, "note", row->note);
        json_put_line(x, "expires", row->expires);
        json_put_number(x, "n_seen", row->n_seen);
        json_push(rows, x);
    }
    json_put(o, "rows", rows);
    json_put(root, "suppressions", o);
}

static struct json *make_coverage(const struct campaign *c, uint32_t i)
{
    const struct campaign_coverage *const row = &c->coverage[i];
    const struct campaign_target *const target = report_find_target(c, row->target_id, NULL);
    struct json *const o = json_new_object();
    json_put_line(o, "target", target ? target->name : "");
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

static struct json *make_cross(const struct campaign_cross *row)
{
    struct json *const o = json_new_object();
    json_put_line(o, "op", row->op);
    json_put_line(o, "target", row->target_a);
    json_put_line(o, "other_target", row->target_b);
    json_put_number(o, "n_cases", row->n_cases);
    json_put_number(o, "example_case", row->example_case);
    json_put_line(o, "replay", row->replay);
    return o;
}

static struct json *make_feature(const struct campaign *c, uint32_t i)
{
    const struct campaign_feature *const row = &c->features[i];
    const struct campaign_target *const target = report_find_target(c, row->target_id, NULL);
    struct json *const o = json_new_object();
    json_put_line(o, "target", target ? target->name : "");
    json_put_line(o, "feature", row->feature);
    json_put_number(o, "accepted", row->n_accepted);
    json_put_number(o, "rejected", row->n_rejected);
    json_put_number(o, "crashed", row->n_crashed);
    json_put_number(o, "wrong_value", row->n_wrong);
    return o;
}

static struct json *make_slow(const struct campaign *c, uint32_t i)
{
    const struct campaign_slow_build *const row = &c->slow[i];
    const struct campaign_target *const target = report_find_target(c, row->target_id, NULL);
    struct json *const o = json_new_object();
    json_put_line(o, "target", target ? target->name : "");
    json_put_number(o, "case", row->case_index);
    json_put_real(o, "seconds", (double)row->build_ns / 1e9);
    json_put_number(o, "words", row->n_words);
    json_put_line(o, "replay", row->replay ? row->replay : "");
    return o;
}

static struct json *make_divergence(const struct report_view *v, uint32_t i)
{
    const struct report_clause *const row = &v->clauses[i];
    struct json *const o = json_new_object();
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
static struct json *make_language(const struct campaign_language *row)
{
    struct json *const o = json_new_object();
    json_put_line(o, "target", row->target);
    json_put_line(o, "source_target", row->source_target);
    json_put_line(o, "verdict", row->verdict);
    json_put_line(o, "source_verdict", row->source_verdict);
    json_put_number(o, "n_cases", row->n_cases);
    json_put_number(o, "example_case", row->example_case);
    return o;
}

/* Put the lists of the report into its object: targets, findings, coverage, differences between targets,
 * divergences and features that are not listed. */
static void make_lists(struct arena *a, struct json *root, const struct report_view *v)
{
    const struct campaign *const c = v->c;
    struct json *const targets = json_new_array();
    struct json *const findings = json_new_array();
    struct json *const coverage = json_new_array();
    struct json *const cross = json_new_array();
    struct json *const languages = json_new_array();
    struct json *const divergences = json_new_array();
    struct json *const features = json_new_array();
    struct json *const slow = json_new_array();
    for (uint32_t i = 0; i < c->n_targets; i++) {
        json_push(targets, make_target(a, v, i));
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        json_push(findings, make_finding(a, v, &v->findings[i]));
    }
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        json_push(coverage, make_coverage(c, i));
    }
    for (uint32_t i = 0; i < c->n_cross; i++) {
        json_push(cross, make_cross(&c->cross[i]));
    }
    for (uint32_t i = 0; i < c->n_languages; i++) {
        json_push(languages, make_language(&c->languages[i]));
    }
    for (uint32_t i = 0; i < v->n_clauses; i++) {
        json_push(divergences, make_divergence(v, i));
    }
    for (uint32_t i = 0; i < c->n_features; i++) {
        json_push(features, make_feature(c, i));
    }
    for (uint32_t i = 0; i < c->n_slow; i++) {
        json_push(slow, make_slow(c, i));
    }
    json_put(root, "targets", targets);
    json_put(root, "findings", findings);
    json_put(root, "coverage", coverage);
    json_put(root, "cross_target", cross);
    json_put(root, "from_source", languages);
    json_put(root, "divergences_by_clause", divergences);
    json_put(root, "unadvertised", features);
    json_put(root, "slow_builds", slow);
}

enum res report_write_json(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct json *const root = json_new_object();
    json_put_int(root, "report_version", REPORT_JSON_VERSION);
    json_put_line(root, "headline", v->headline);
    json_put(root, "campaign", make_campaign(a, v->c));
    json_put(root, "verdicts", make_verdicts());
    put_bugs(root, v);
    make_lists(a, root, v);
    if (v->c->n_nights) {
        put_nights(root, v->c);
    }
    if (v->c->states) {
        put_states(root, v->c);
    }
    if (v->c->baseline) {
        put_baseline(root, v);
    }
    if (v->c->expected) {
        put_suppressions(root, v);
    }
    enum res const r = json_print(root, JSON_NARROW_PAGE, f, e);
    json_free(root);
    return r;
}
