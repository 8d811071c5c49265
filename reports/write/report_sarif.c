/* reports/write/report_sarif.c -- a report as SARIF 2.1.0: clauses are its rules, buckets its results. */
#include "reports/write/report_sarif.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "fuzz/journal/journal_load.h"
#include "oracle/tables/tables.h"
#include "reports/model/json_tree.h"

/* Where the folders of bugs are; section 3.14.14 of SARIF: no URI, for the folder may move. */
#define BASE_ID "CAMPAIGN"

static struct json_t *make_message(struct json_tree *b, const char *text)
{
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "text", text && text[0] ? text : "(no text)");
    return o;
}

/* A relative URI: what is not plain is percent-encoded. */
static const char *make_uri(const char *path, struct arena *a)
{
    static const char digits[] = "0123456789ABCDEF";
    char *const uri = arena_take(a, 3 * strlen(path) + 1);
    size_t n = 0;
    for (const char *p = path; uri && *p; p++) {
        unsigned char const c = (unsigned char)*p;
        int const is_plain = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
                             strchr("-_./", c) != NULL;
        if (is_plain) {
            uri[n++] = (char)c;
        } else {
            uri[n++] = '%';
            uri[n++] = digits[c >> 4];
            uri[n++] = digits[c & 15];
        }
    }
    if (uri) {
        uri[n] = '\0';
    }
    return uri ? uri : "";
}

static const char *rule_of(const char *clause)
{
    return clause && clause[0] ? clause : "NONE";
}

/* The clauses that the results name, each once. */
struct rules {
    uint32_t n;
    const char **ids;
};

static uint32_t find_rule(const struct rules *r, const char *clause)
{
    uint32_t i = 0;
    while (i < r->n && strcmp(r->ids[i], rule_of(clause)) != 0) {
        i++;
    }
    return i;
}

static void add_rule(struct rules *r, const char *clause)
{
    uint32_t const i = find_rule(r, clause);
    if (i == r->n) {
        r->ids[r->n++] = rule_of(clause);
    }
}

static int make_rules(struct rules *r, const struct report_view *v, struct arena *a)
{
    *r =
        (struct rules){.ids = ARENA_NEW(a, const char *, (size_t)v->n_findings + v->c->n_gone + 1)};
    for (uint32_t i = 0; r->ids && i < v->n_findings; i++) {
        if (v->findings[i].head == i) {
            add_rule(r, v->findings[i].raw->clause);
        }
    }
    for (uint32_t i = 0; r->ids && i < v->c->n_gone; i++) {
        add_rule(r, v->c->gone[i].clause);
    }
    return r->ids != NULL;
}

static struct json_t *make_rule(struct json_tree *b, const char *id)
{
    int const row = clause_find(id);
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "id", id);
    if (row >= 0) {
        struct json_t *const properties = tree_object();
        tree_put(b, o, "shortDescription", make_message(b, clause_rows[row].text));
        tree_put(b, o, "fullDescription",
                 make_message(b, arena_printf(b->a, "%s: %s", clause_rows[row].code,
                                              clause_rows[row].text)));
        tree_put_text(b, properties, "section", clause_rows[row].code);
        tree_put(b, o, "properties", properties);
    }
    return o;
}

static struct json_t *make_tool(struct json_tree *b, const struct report_view *v,
                                const struct rules *r)
{
    struct json_t *const tool = tree_object();
    struct json_t *const driver = tree_object();
    struct json_t *const rules = tree_array();
    tree_put_text(b, driver, "name", "halfulp");
    tree_put_text(b, driver, "version", v->c->generator);
    for (uint32_t i = 0; i < r->n; i++) {
        tree_append(b, rules, make_rule(b, r->ids[i]));
    }
    tree_put(b, driver, "rules", rules);
    tree_put(b, tool, "driver", driver);
    return tool;
}

/* The instruction on the target, and the bug's folder where there is one. */
static struct json_t *make_locations(struct json_tree *b, const char *target, const char *what,
                                     const char *name, const char *folder)
{
    struct json_t *const list = tree_array();
    struct json_t *const location = tree_object();
    struct json_t *const logical_list = tree_array();
    struct json_t *const logical = tree_object();
    tree_put_text(b, logical, "name", name);
    tree_put_text(b, logical, "fullyQualifiedName", arena_printf(b->a, "%s::%s", target, what));
    tree_put_text(b, logical, "kind", "instruction");
    tree_append(b, logical_list, logical);
    tree_put(b, location, "logicalLocations", logical_list);
    if (folder) {
        struct json_t *const physical = tree_object();
        struct json_t *const artifact = tree_object();
        tree_put_text(b, artifact, "uri",
                      make_uri(arena_printf(b->a, "%s/report.md", folder), b->a));
        tree_put_text(b, artifact, "uriBaseId", BASE_ID);
        tree_put(b, physical, "artifactLocation", artifact);
        tree_put(b, location, "physicalLocation", physical);
    }
    tree_append(b, list, location);
    return list;
}

/* The same for the same bucket in each campaign. */
static struct json_t *make_fingerprints(struct json_tree *b, const char *target, const char *core)
{
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "halfulpBucket/v1", arena_printf(b->a, "%s %s", target, core));
    return o;
}

static const char *level_of(enum report_group g)
{
    switch (g) {
    case GROUP_VIOLATION:
    case GROUP_SUPPRESSED:
        return "error";
    case GROUP_FLAKY:
        return "warning";
    case GROUP_DIVERGENCE:
    case GROUP_UNADVERTISED:
    case GROUP_INFO:
        return "note";
    }
    assert(0 && "report_group out of range");
    return "error";
}

/* Section 3.27.24: absent is what the baseline alone has; what is there when its case is run again is
 * not. NULL: not compared. */
static const char *state_of(enum baseline_state state)
{
    switch (state) {
    case BASELINE_NONE:
        return NULL;
    case BASELINE_NEW:
        return "new";
    case BASELINE_THERE:
    case BASELINE_REMAINS:
        return "unchanged";
    case BASELINE_FIXED:
    case BASELINE_FLAKY:
    case BASELINE_UNKNOWN:
        return "absent";
    }
    assert(0 && "baseline_state out of range");
    return NULL;
}

static void put_state(struct json_tree *b, struct json_t *result, enum baseline_state state)
{
    if (state_of(state)) {
        tree_put_text(b, result, "baselineState", state_of(state));
    }
}

static struct json_t *make_reliability(struct json_tree *b, const struct campaign_triage *t)
{
    struct json_t *const o = tree_object();
    tree_put_count(b, o, "runs", t->n_runs);
    tree_put_count(b, o, "shown", t->n_shown);
    tree_put_count(b, o, "loadedRuns", t->n_loaded_runs);
    tree_put_count(b, o, "loadedShown", t->n_loaded_shown);
    tree_put_bool(b, o, "flaky", t->is_flaky);
    return o;
}

static struct json_t *make_properties(struct json_tree *b, const struct report_finding *x)
{
    const struct campaign_finding *const f = x->raw;
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "group", report_groups[x->group].badge);
    tree_put_text(b, o, "target", x->target ? x->target->name : "");
    tree_put_text(b, o, "verdict", f->verdict);
    tree_put_text(b, o, "family", f->family);
    tree_put_text(b, o, "signature", f->signature);
    tree_put_text(b, o, "type", f->type);
    tree_put_text(b, o, "storage", f->storage);
    tree_put_count(b, o, "signatures", x->n_members);
    tree_put_text(b, o, "operands", f->operands);
    tree_put_text(b, o, "result", f->got);
    tree_put_text(b, o, "permitted", f->permitted);
    tree_put_text(b, o, "seenAgain", report_reliability(f->triage, b->a));
    if (f->triage) {
        tree_put(b, o, "reliability", make_reliability(b, f->triage));
        tree_put_text(b, o, "smallestChangeThatPasses", f->triage->variant);
    }
    tree_put_text(b, o, "replay", f->replay);
    if (f->baseline) {
        tree_put_text(b, o, "baseline", baseline_names[f->baseline]);
    }
    return o;
}

static struct json_t *make_suppressions(struct json_tree *b, const struct expected_failure *row)
{
    struct json_t *const list = tree_array();
    if (row) {
        struct json_t *const o = tree_object();
        tree_put_text(b, o, "kind", "external");
        tree_put_text(b, o, "status", "accepted");
        tree_put_text(b, o, "justification", row->note);
        tree_append(b, list, o);
    }
    return list;
}

static struct json_t *make_result(struct json_tree *b, const struct report_view *v,
                                  const struct report_finding *x, const struct rules *r)
{
    const struct campaign_finding *const f = x->raw;
    const char *const target = x->target && x->target->name ? x->target->name : "";
    const char *const core = f->core ? f->core : f->signature ? f->signature : "";
    struct json_t *const o = tree_object();
    tree_put_text(b, o, "ruleId", rule_of(f->clause));
    tree_put_count(b, o, "ruleIndex", find_rule(r, f->clause));
    tree_put_text(b, o, "level", level_of(x->group));
    tree_put(b, o, "message",
             make_message(b, arena_printf(b->a, "%s: %s; %s", target, f->text ? f->text : "",
                                          f->signature ? f->signature : "")));
    tree_put(b, o, "locations",
             make_locations(b, target, core, f->op && f->op[0] ? f->op : "module", x->folder));
    tree_put(b, o, "partialFingerprints", make_fingerprints(b, target, core));
    tree_put_count(b, o, "occurrenceCount", x->n_all ? x->n_all : 1);
    put_state(b, o, f->baseline);
    if (v->c->expected) { /* section 3.27.23: an empty list says that none fits */
        tree_put(b, o, "suppressions",
                 make_suppressions(b, x->group == GROUP_SUPPRESSED ? f->expected : NULL));
    }
    tree_put(b, o, "properties", make_properties(b, x));
    return o;
}

static struct json_t *make_gone(struct json_tree *b, const struct campaign_gone *g,
                                const struct rules *r)
{
    struct json_t *const o = tree_object();
    struct json_t *const properties = tree_object();
    tree_put_text(b, o, "ruleId", rule_of(g->clause));
    tree_put_count(b, o, "ruleIndex", find_rule(r, g->clause));
    tree_put_text(b, o, "level", g->state == BASELINE_FLAKY ? "warning" : "error");
    tree_put(b, o, "message",
             make_message(b, arena_printf(b->a, "%s: %s: %s; %s", g->target,
                                          baseline_names[g->state], g->signature, g->why)));
    tree_put(b, o, "locations", make_locations(b, g->target, g->core, "module", NULL));
    tree_put(b, o, "partialFingerprints", make_fingerprints(b, g->target, g->core));
    put_state(b, o, g->state);
    tree_put_text(b, properties, "target", g->target);
    tree_put_text(b, properties, "verdict", g->verdict);
    tree_put_text(b, properties, "family", g->family);
    tree_put_text(b, properties, "signature", g->signature);
    tree_put_text(b, properties, "baseline", baseline_names[g->state]);
    tree_put_count(b, properties, "runs", g->n_runs);
    tree_put_count(b, properties, "shown", g->n_shown);
    tree_put(b, o, "properties", properties);
    return o;
}

/* What a person has to look at in the list of suppressions. */
static struct json_t *make_notifications(struct json_tree *b, const struct report_view *v)
{
    struct json_t *const list = tree_array();
    for (uint32_t i = 0; i < v->rows.n; i++) {
        const struct expected_failure *const row = &v->c->rows[i];
        if (row->n_seen && !row->is_expired) {
            continue;
        }
        struct json_t *const o = tree_object();
        tree_put_text(b, o, "level", row->n_seen ? "warning" : "note");
        tree_put(b, o, "message",
                 make_message(
                     b, arena_printf(b->a, "%s: %s", v->rows.fact[i].label, v->rows.fact[i].text)));
        tree_append(b, list, o);
    }
    return list;
}

static struct json_t *make_run(struct json_tree *b, const struct report_view *v,
                               const struct rules *r)
{
    struct json_t *const run = tree_object();
    struct json_t *const bases = tree_object();
    struct json_t *const base = tree_object();
    struct json_t *const invocations = tree_array();
    struct json_t *const invocation = tree_object();
    struct json_t *const results = tree_array();
    struct json_t *const properties = tree_object();
    tree_put(b, run, "tool", make_tool(b, v, r));
    tree_put(b, base, "description", make_message(b, "the folder of the campaign"));
    tree_put(b, bases, BASE_ID, base);
    tree_put(b, run, "originalUriBaseIds", bases);
    tree_put_bool(b, invocation, "executionSuccessful", 1);
    tree_put(b, invocation, "toolConfigurationNotifications", make_notifications(b, v));
    tree_append(b, invocations, invocation);
    tree_put(b, run, "invocations", invocations);
    for (uint32_t i = 0; i < v->n_findings; i++) {
        if (v->findings[i].head == i) {
            tree_append(b, results, make_result(b, v, &v->findings[i], r));
        }
    }
    for (uint32_t i = 0; i < v->c->n_gone; i++) {
        tree_append(b, results, make_gone(b, &v->c->gone[i], r));
    }
    tree_put(b, run, "results", results);
    tree_put_text(b, properties, "headline", v->headline);
    tree_put_text(b, properties, "profile", v->c->plan.profile);
    tree_put_text(b, properties, "seed", arena_printf(b->a, "%" PRIu64, v->c->plan.seed));
    tree_put_text(b, properties, "againstTheBaseline", v->change);
    tree_put(b, run, "properties", properties);
    return run;
}

enum res report_write_sarif(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct rules r;
    struct json_tree b = {.a = a, .ok = make_rules(&r, v, a)};
    struct json_t *const root = tree_object();
    struct json_t *const runs = tree_array();
    if (!b.ok) {
        tree_free(runs);
        return tree_print(&b, root, f, e);
    }
    tree_put_text(&b, root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    tree_put_text(&b, root, "version", "2.1.0");
    tree_append(&b, runs, make_run(&b, v, &r));
    tree_put(&b, root, "runs", runs);
    return tree_print(&b, root, f, e);
}
