/* reports/write/report_junit.c -- a report as JUnit XML, valid by the schema of Jenkins (junit-10.xsd): a
 * suite per target, a case per instruction and type that was run, and one per bucket of violations. */
#include "reports/write/report_junit.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "oracle/tables/tables.h"
#include "reports/write/report_put.h"

/* What a failing case says of the driver's log. The bug's folder has all of it. */
enum {
    JUNIT_MAX_LOG = 16384
};

static void put(const char *markup, FILE *f)
{
    (void)fputs(markup, f);
}

static void put_text(const char *text, FILE *f)
{
    report_put_text(REPORT_JUNIT, text, f);
}

static void put_attribute(const char *name, const char *text, FILE *f)
{
    (void)fprintf(f, " %s=\"", name);
    put_text(text, f);
    put("\"", f);
}

static void put_line(const char *label, const char *text, FILE *f)
{
    if (text && text[0]) {
        put(label, f);
        put(": ", f);
        put_text(text, f);
        put("\n", f);
    }
}

static int is_of(const struct report_view *v, uint32_t i, const struct campaign_target *t)
{
    return v->findings[i].head == i && v->findings[i].target == t;
}

/* How a bucket shows: as a failure, as skipped, or not at all. */
enum shown {
    SHOWN_NOT,
    SHOWN_SKIPPED,
    SHOWN_FAILED
};

static enum shown shown_of(enum report_group g)
{
    switch (g) {
    case GROUP_VIOLATION:
        return SHOWN_FAILED;
    case GROUP_FLAKY:
    case GROUP_SUPPRESSED:
        return SHOWN_SKIPPED;
    case GROUP_DIVERGENCE:
    case GROUP_UNADVERTISED:
    case GROUP_INFO:
        return SHOWN_NOT;
    }
    assert(0 && "report_group out of range");
    return SHOWN_NOT;
}

static enum shown gone_of(enum baseline_state state)
{
    return state == BASELINE_FIXED     ? SHOWN_NOT
           : state == BASELINE_REMAINS ? SHOWN_FAILED
                                       : SHOWN_SKIPPED;
}

/* The log line by line, cut at what a viewer of results can take. */
static void put_log(const char *log, struct arena *a, FILE *f)
{
    size_t const n = strlen(log);
    if (n == 0) {
        return;
    }
    const char *rest = n > JUNIT_MAX_LOG ? arena_printf(a, "%.*s", JUNIT_MAX_LOG, log) : log;
    put("log:\n", f);
    for (const char *line = printable_take_line(a, &rest); line;
         line = printable_take_line(a, &rest)) {
        put_text(line, f);
        put("\n", f);
    }
    put(n > JUNIT_MAX_LOG ? "... (cut)\n" : "", f);
}

static void put_story(const struct report_finding *x, struct arena *a, FILE *f)
{
    const struct campaign_finding *const raw = x->raw;
    int const clause = clause_find(raw->clause ? raw->clause : "");
    put_line("signature", raw->signature, f);
    put_line("family", raw->family, f);
    put_line("clause", clause < 0 ? raw->clause : clause_rows[clause].code, f);
    put_line("rule", x->rule, f);
    put_line("findings", arena_printf(a, "%" PRIu64, x->n_all), f);
    put_line("reproduced", report_reliability(raw->triage, a), f);
    put_line("against the baseline", baseline_names[raw->baseline], f);
    put_line("operands", raw->operands, f);
    put_line("result", raw->got, f);
    put_line("permitted", raw->permitted, f);
    put_line("passes when run", raw->triage ? raw->triage->variant : "", f);
    put_line("explained by", raw->triage ? raw->triage->cause : "", f);
    put_line("what goes wrong before this value", raw->triage ? raw->triage->first_wrong : "", f);
    put_line("folder", x->folder, f);
    put_line("again", raw->replay, f);
    put_log(raw->log ? raw->log : "", a, f);
}

static const char *why_skipped(const struct report_finding *x, struct arena *a)
{
    const struct bug_state *const state = x->raw->state;
    if (x->group == GROUP_SUPPRESSED && !x->raw->expected && state) {
        return arena_printf(a, "%s%s%s: %s", bug_state_names[state->kind],
                            state->detail[0] ? " " : "", state->detail, state->note);
    }
    return x->group == GROUP_SUPPRESSED
               ? arena_printf(a, "suppressed: %s", x->raw->expected ? x->raw->expected->note : "")
               : arena_printf(a, "flaky: shown by %s", report_reliability(x->raw->triage, a));
}

/* Put a bucket as a test case: failed if it is a bug that counts, else skipped with the reason (suppressed, or
 * flaky). raw->baseline is 0 where there is no earlier campaign to compare with. */
static void put_bucket(const struct report_finding *x, struct arena *a, FILE *f)
{
    const struct campaign_finding *const raw = x->raw;
    put("    <testcase", f);
    put_attribute("name",
                  arena_printf(a, "%s %s: %s", raw->op ? raw->op : "", raw->type ? raw->type : "",
                               raw->core ? raw->core : raw->signature),
                  f);
    put_attribute("classname", x->target ? x->target->name : "", f);
    put(">\n", f);
    if (shown_of(x->group) == SHOWN_FAILED) {
        put("      <failure", f);
        put_attribute("type", raw->verdict, f);
        put_attribute("message",
                      raw->baseline ? arena_printf(a, "%s: %s", baseline_names[raw->baseline],
                                                   raw->text ? raw->text : "")
                                    : raw->text,
                      f);
        put(">", f);
        put_story(x, a, f);
        put("</failure>\n", f);
    } else {
        put("      <skipped", f);
        put_attribute("type", report_groups[x->group].badge, f);
        put_attribute("message", why_skipped(x, a), f);
        put(">", f);
        put_story(x, a, f);
        put("</skipped>\n", f);
    }
    put("    </testcase>\n", f);
}

/* A bucket that the baseline alone has: passed when it is fixed. */
static void put_gone(const struct campaign_gone *g, FILE *f)
{
    enum shown const shown = gone_of(g->state);
    put("    <testcase", f);
    put_attribute("name", g->core, f);
    put_attribute("classname", g->target, f);
    if (shown == SHOWN_NOT) {
        put("/>\n", f);
        return;
    }
    put(shown == SHOWN_FAILED ? ">\n      <failure" : ">\n      <skipped", f);
    put_attribute("type", g->verdict, f);
    put_attribute("message", baseline_names[g->state], f);
    put(">", f);
    put_text(g->why, f);
    put(shown == SHOWN_FAILED ? "</failure>\n" : "</skipped>\n", f);
    put("    </testcase>\n", f);
}

static int is_same(const char *x, const char *y)
{
    return strcmp(x ? x : "", y ? y : "") == 0;
}

static int is_same_case(const struct campaign_coverage *x, const struct campaign_coverage *y)
{
    return x->target_id == y->target_id && is_same(x->op, y->op) && is_same(x->type, y->type);
}

/* Is this row of coverage a test case that passed: the target's first row of its instruction and type that
 * was run, of which no finding is a failure? What has one is shown as a bucket instead. */
static int is_passed(const struct report_view *v, uint32_t row, const struct campaign_target *t)
{
    const struct campaign_coverage *const own = &v->c->coverage[row];
    if (own->target_id != t->id || !is_same(own->outcome, "run")) {
        return 0;
    }
    for (uint32_t i = 0; i < row; i++) {
        if (is_same_case(&v->c->coverage[i], own) && is_same(v->c->coverage[i].outcome, "run")) {
            return 0;
        }
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct campaign_finding *const raw = v->findings[i].raw;
        bool const is_about_it = is_same(raw->op, own->op) && is_same(raw->type, own->type);
        if (is_about_it && is_of(v, i, t) && shown_of(v->findings[i].group) == SHOWN_FAILED) {
            return 0;
        }
    }
    return 1;
}

struct counts {
    uint32_t n[SHOWN_FAILED + 1]; /* by enum shown: passed, skipped, failed */
};

static struct counts count(const struct report_view *v, const struct campaign_target *t)
{
    struct counts c = {{0}};
    for (uint32_t i = 0; i < v->n_findings; i++) {
        if (is_of(v, i, t) && shown_of(v->findings[i].group) != SHOWN_NOT) {
            c.n[shown_of(v->findings[i].group)]++;
        }
    }
    for (uint32_t i = 0; i < v->c->n_gone; i++) {
        if (t && is_same(v->c->gone[i].target, t->name)) {
            c.n[gone_of(v->c->gone[i].state)]++;
        }
    }
    for (uint32_t i = 0; t && i < v->c->n_coverage; i++) {
        c.n[SHOWN_NOT] += (uint32_t)is_passed(v, i, t);
    }
    return c;
}

static uint32_t count_all(const struct counts *c)
{
    return c->n[SHOWN_NOT] + c->n[SHOWN_SKIPPED] + c->n[SHOWN_FAILED];
}

static void put_counts(const struct counts *c, FILE *f)
{
    (void)fprintf(f, " tests=\"%" PRIu32 "\" failures=\"%" PRIu32 "\" errors=\"0\"", count_all(c),
                  c->n[SHOWN_FAILED]);
}

/* Put a target's suite: a passed case for each instruction and type without a failure, its buckets, and what
 * is gone since the earlier campaign. t NULL: the findings whose target the journal does not have. */
static void put_suite(const struct report_view *v, const struct campaign_target *t, struct arena *a,
                      FILE *f)
{
    struct counts const c = count(v, t);
    put("  <testsuite", f);
    put_attribute("name", t ? t->name : "no target", f);
    put_counts(&c, f);
    (void)fprintf(f, " skipped=\"%" PRIu32 "\"", c.n[SHOWN_SKIPPED]);
    put_attribute("package", "halfulp", f);
    put(">\n", f);
    for (uint32_t i = 0; t && i < v->c->n_coverage; i++) {
        if (is_passed(v, i, t)) {
            put("    <testcase", f);
            put_attribute(
                "name", arena_printf(a, "%s %s", v->c->coverage[i].op, v->c->coverage[i].type), f);
            put_attribute("classname", t->name, f);
            put("/>\n", f);
        }
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        if (is_of(v, i, t) && shown_of(v->findings[i].group) != SHOWN_NOT) {
            put_bucket(&v->findings[i], a, f);
        }
    }
    for (uint32_t i = 0; i < v->c->n_gone; i++) {
        if (t && is_same(v->c->gone[i].target, t->name)) {
            put_gone(&v->c->gone[i], f);
        }
    }
    put("  </testsuite>\n", f);
}

/* Write the report as JUnit's XML, for CI systems: a suite for each target, and one for findings of which the
 * journal has no target, if there are any. */
enum res report_write_junit(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct counts const lost = count(v, NULL);
    struct counts all = lost;
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        struct counts const c = count(v, &v->c->targets[i]);
        for (int k = 0; k <= SHOWN_FAILED; k++) {
            all.n[k] += c.n[k];
        }
    }
    put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", f);
    put_attribute("name", v->headline, f);
    put_counts(&all, f);
    put(">\n", f);
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        put_suite(v, &v->c->targets[i], a, f);
    }
    if (count_all(&lost)) {
        put_suite(v, NULL, a, f);
    }
    put("</testsuites>\n", f);
    return ferror(f) ? err_set(e, RES_IO, "report: writing the XML stopped") : RES_OK;
}
