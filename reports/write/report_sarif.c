/* reports/write/report_sarif.c -- a report as SARIF 2.1.0: clauses are its rules, buckets its results. */
#include "reports/write/report_sarif.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "fuzz/io/json.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "oracle/tables/tables.h"

/* Where the folders of bugs are; section 3.14.14 of SARIF: no URI, for the folder may move. */
#define BASE_ID "CAMPAIGN"

static struct json *make_message(const char *text)
{
    struct json *const o = json_new_object();
    json_put_line(o, "text", text && text[0] ? text : "(no text)");
    return o;
}

/* A path as a relative URI: letters, digits and -_./ stay, any other byte is percent-encoded. "" where the
 * arena is full. */
static const char *make_uri(const char *path, struct arena *a)
{
    static const char digits[] = "0123456789ABCDEF";
    char *const uri = arena_take(a, 3 * strlen(path) + 1);
    size_t n = 0;
    for (const char *p = path; uri && *p; p++) {
        unsigned char const c = (unsigned char)*p;
        unsigned char const lower =
            c | 32; /* of a letter; nothing else falls among the small ones */
        int const is_plain =
            (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || strchr("-_./", c) != NULL;
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

static struct json *make_rule(struct arena *a, const char *id)
{
    int const row = clause_find(id);
    struct json *const o = json_new_object();
    json_put_line(o, "id", id);
    if (row >= 0) {
        struct json *const properties = json_new_object();
        json_put(o, "shortDescription", make_message(clause_rows[row].text));
        json_put(
            o, "fullDescription",
            make_message(arena_printf(a, "%s: %s", clause_rows[row].code, clause_rows[row].text)));
        json_put_line(properties, "section", clause_rows[row].code);
        json_put(o, "properties", properties);
    }
    return o;
}

static struct json *make_tool(struct arena *a, const struct report_view *v, const struct rules *r)
{
    struct json *const tool = json_new_object();
    struct json *const driver = json_new_object();
    struct json *const rules = json_new_array();
    json_put_line(driver, "name", "halfulp");
    json_put_line(driver, "version", v->c->generator);
    for (uint32_t i = 0; i < r->n; i++) {
        json_push(rules, make_rule(a, r->ids[i]));
    }
    json_put(driver, "rules", rules);
    json_put(tool, "driver", driver);
    return tool;
}

/* The location of a result: the instruction on the target, as a logical one, and the bug's folder as a
 * physical one where there is one (folder not NULL). `what` makes the logical name one of its own. */
static struct json *make_locations(struct arena *a, const char *target, const char *what,
                                   const char *name, const char *folder)
{
    struct json *const list = json_new_array();
    struct json *const location = json_new_object();
    struct json *const logical_list = json_new_array();
    struct json *const logical = json_new_object();
    json_put_line(logical, "name", name);
    json_put_line(logical, "fullyQualifiedName", arena_printf(a, "%s::%s", target, what));
    json_put_line(logical, "kind", "instruction");
    json_push(logical_list, logical);
    json_put(location, "logicalLocations", logical_list);
    if (folder) {
        struct json *const physical = json_new_object();
        struct json *const artifact = json_new_object();
        json_put_line(artifact, "uri", make_uri(arena_printf(a, "%s/report.md", folder), a));
        json_put_line(artifact, "uriBaseId", BASE_ID);
        json_put(physical, "artifactLocation", artifact);
        json_put(location, "physicalLocation", physical);
    }
    json_push(list, location);
    return list;
}

/* The same for the same bucket in each campaign. */
static struct json *make_fingerprints(struct arena *a, const char *target, const char *core)
{
    struct json *const o = json_new_object();
    json_put_line(o, "halfulpBucket/v1", arena_printf(a, "%s %s", target, core));
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

static void put_state(struct json *result, enum baseline_state state)
{
    if (state_of(state)) {
        json_put_line(result, "baselineState", state_of(state));
    }
}

static struct json *make_reliability(const struct campaign_triage *t)
{
    struct json *const o = json_new_object();
    json_put_number(o, "runs", t->n_runs);
    json_put_number(o, "shown", t->n_shown);
    json_put_number(o, "loadedRuns", t->n_loaded_runs);
    json_put_number(o, "loadedShown", t->n_loaded_shown);
    json_put_bool(o, "flaky", t->is_flaky);
    return o;
}

/* What is known of a finding and SARIF has no place for, as a bag of properties. */
static struct json *make_properties(struct arena *a, const struct report_finding *x)
{
    const struct campaign_finding *const f = x->raw;
    struct json *const o = json_new_object();
    json_put_line(o, "group", report_groups[x->group].badge);
    json_put_line(o, "target", x->target ? x->target->name : "");
    json_put_line(o, "verdict", f->verdict);
    json_put_line(o, "family", f->family);
    json_put_line(o, "signature", f->signature);
    json_put_line(o, "type", f->type);
    json_put_line(o, "storage", f->storage);
    json_put_number(o, "signatures", x->n_members);
    json_put_line(o, "operands", f->operands);
    json_put_line(o, "result", f->got);
    json_put_line(o, "permitted", f->permitted);
    json_put_line(o, "seenAgain", report_reliability(f->triage, a));
    if (f->triage) {
        json_put(o, "reliability", make_reliability(f->triage));
        json_put_line(o, "smallestChangeThatPasses", f->triage->variant);
        json_put_line(o, "explainedBy", f->triage->cause);
        json_put_line(o, "goesWrongFirst", f->triage->first_wrong);
    }
    json_put_line(o, "replay", f->replay);
    if (f->baseline) {
        json_put_line(o, "baseline", baseline_names[f->baseline]);
    }
    return o;
}

/* Why the bucket does not count, by the list of known bugs or that of states; an empty list where it does. */
static struct json *make_suppressions(const struct report_finding *x)
{
    struct json *const list = json_new_array();
    const struct campaign_finding *const f = x->raw;
    if (x->group == GROUP_SUPPRESSED && (f->expected || f->state)) {
        struct json *const o = json_new_object();
        json_put_line(o, "kind", "external");
        json_put_line(o, "status", "accepted");
        json_put_line(o, "justification", f->expected ? f->expected->note : f->state->note);
        json_push(list, o);
    }
    return list;
}

/* A bucket as a result of SARIF, told by x, the finding that names it. Target and core are its fingerprint,
 * by which a viewer knows it again from run to run. */
static struct json *make_result(struct arena *a, const struct report_view *v,
                                const struct report_finding *x, const struct rules *r)
{
    const struct campaign_finding *const f = x->raw;
    const char *const target = x->target && x->target->name ? x->target->name : "";
    const char *const signature = f->signature ? f->signature : "";
    const char *const core = f->core ? f->core : signature;
    struct json *const o = json_new_object();
    json_put_line(o, "ruleId", rule_of(f->clause));
    json_put_number(o, "ruleIndex", find_rule(r, f->clause));
    json_put_line(o, "level", level_of(x->group));
    json_put(
        o, "message",
        make_message(arena_printf(a, "%s: %s; %s", target, f->text ? f->text : "", signature)));
    json_put(o, "locations",
             make_locations(a, target, core, f->op && f->op[0] ? f->op : "module", x->folder));
    json_put(o, "partialFingerprints", make_fingerprints(a, target, core));
    json_put_number(o, "occurrenceCount", x->n_all ? x->n_all : 1); /* it was seen at least once */
    put_state(o, f->baseline);
    if (v->c->expected || v->c->states) { /* section 3.27.23: an empty list says that none fits */
        json_put(o, "suppressions", make_suppressions(x));
    }
    json_put(o, "properties", make_properties(a, x));
    return o;
}

/* A bucket that the earlier campaign alone has as a result of SARIF, with how it stands now. */
static struct json *make_gone(struct arena *a, const struct campaign_gone *g, const struct rules *r)
{
    struct json *const o = json_new_object();
    struct json *const properties = json_new_object();
    json_put_line(o, "ruleId", rule_of(g->clause));
    json_put_number(o, "ruleIndex", find_rule(r, g->clause));
    json_put_line(o, "level", g->state == BASELINE_FLAKY ? "warning" : "error");
    json_put(o, "message",
             make_message(arena_printf(a, "%s: %s: %s; %s", g->target, baseline_names[g->state],
                                       g->signature, g->why)));
    json_put(o, "locations", make_locations(a, g->target, g->core, "module", NULL));
    json_put(o, "partialFingerprints", make_fingerprints(a, g->target, g->core));
    put_state(o, g->state);
    json_put_line(properties, "target", g->target);
    json_put_line(properties, "verdict", g->verdict);
    json_put_line(properties, "family", g->family);
    json_put_line(properties, "signature", g->signature);
    json_put_line(properties, "baseline", baseline_names[g->state]);
    json_put_number(properties, "runs", g->n_runs);
    json_put_number(properties, "shown", g->n_shown);
    json_put(o, "properties", properties);
    return o;
}

/* What a person has to look at in the list of suppressions. */
static struct json *make_notifications(struct arena *a, const struct report_view *v)
{
    struct json *const list = json_new_array();
    for (uint32_t i = 0; i < v->rows.n; i++) {
        const struct expected_failure *const row = &v->c->rows[i];
        if (row->n_seen && !row->is_expired) {
            continue;
        }
        struct json *const o = json_new_object();
        json_put_line(o, "level", row->n_seen ? "warning" : "note");
        json_put(
            o, "message",
            make_message(arena_printf(a, "%s: %s", v->rows.fact[i].label, v->rows.fact[i].text)));
        json_push(list, o);
    }
    return list;
}

/* The run object of SARIF, which is the campaign: the tool with the clauses as its rules, the folder that
 * URIs begin at, a result for each bucket and for each that is gone. */
static struct json *make_run(struct arena *a, const struct report_view *v, const struct rules *r)
{
    struct json *const run = json_new_object();
    struct json *const bases = json_new_object();
    struct json *const base = json_new_object();
    struct json *const invocations = json_new_array();
    struct json *const invocation = json_new_object();
    struct json *const results = json_new_array();
    struct json *const properties = json_new_object();
    json_put(run, "tool", make_tool(a, v, r));
    json_put(base, "description", make_message("the folder of the campaign"));
    json_put(bases, BASE_ID, base);
    json_put(run, "originalUriBaseIds", bases);
    json_put_bool(invocation, "executionSuccessful", 1);
    json_put(invocation, "toolConfigurationNotifications", make_notifications(a, v));
    json_push(invocations, invocation);
    json_put(run, "invocations", invocations);
    for (uint32_t i = 0; i < v->n_findings; i++) {
        if (v->findings[i].head == i) {
            json_push(results, make_result(a, v, &v->findings[i], r));
        }
    }
    for (uint32_t i = 0; i < v->c->n_gone; i++) {
        json_push(results, make_gone(a, &v->c->gone[i], r));
    }
    json_put(run, "results", results);
    json_put_line(properties, "headline", v->headline);
    json_put_line(properties, "profile", v->c->plan.profile);
    json_put_line(properties, "seed", arena_printf(a, "%" PRIu64, v->c->plan.seed));
    json_put_line(properties, "againstTheBaseline", v->change);
    json_put(run, "properties", properties);
    return run;
}

enum res report_write_sarif(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct rules r;
    if (!make_rules(&r, v, a)) {
        return err_set(e, RES_NOMEM, "report: no memory for its clauses");
    }
    struct json *const root = json_new_object();
    struct json *const runs = json_new_array();
    json_put_line(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_put_line(root, "version", "2.1.0");
    json_push(runs, make_run(a, v, &r));
    json_put(root, "runs", runs);
    enum res const printed = json_print(root, JSON_NARROW_PAGE, f, e);
    json_free(root);
    return printed;
}
