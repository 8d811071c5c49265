/* reports/write/report_markdown.c -- a report as Markdown, for trackers, merge requests and chats. */
#include "reports/write/report_markdown.h"

#include <inttypes.h>

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "oracle/tables/tables.h"
#include "reports/model/figures.h"
#include "reports/model/markdown.h"

/* A command is one line; longer ones are no commands of ours. */
enum {
    MARKDOWN_MAX_COMMAND = 4096
};

static void put(const char *markup, FILE *f)
{
    (void)fputs(markup, f);
}

/* "- label: text"; nothing for a text that is "". */
static void put_item(const char *label, const char *text, FILE *f)
{
    if (text && text[0]) {
        (void)fprintf(f, "- %s: ", label);
        markdown_put_text(text, f);
        put("\n", f);
    }
}

static void put_cell(const char *text, FILE *f)
{
    put("| ", f);
    markdown_put_text(text, f);
    put(" ", f);
}

static const char *clause_text(const struct report_finding *x, struct arena *a)
{
    const char *const id = x->raw->clause;
    int const row = clause_find(id ? id : "");
    return row < 0 ? id
                   : arena_printf(a, "%s [%s]: %s", clause_rows[row].code, clause_rows[row].id,
                                  x->rule);
}

static void put_facts(const char *title, const struct report_facts *facts, FILE *f)
{
    if (facts->n == 0) {
        return;
    }
    (void)fprintf(f, "\n## %s\n\n", title);
    for (uint32_t i = 0; i < facts->n; i++) {
        if (facts->fact[i].look != LOOK_BLOCK) {
            put_item(facts->fact[i].label, facts->fact[i].text, f);
        }
    }
}

static int is_bug(enum report_group g)
{
    return g == GROUP_VIOLATION || g == GROUP_FLAKY || g == GROUP_SUPPRESSED;
}

/* Put a table with a row for each bug; nothing where there is none. */
static void put_overview(const struct report_view *v, FILE *f)
{
    put(v->n_bugs ? "\n| bug | title | how bad | target | state | since | seen in | reproduced in "
                    "| size |\n"
                    "| ---: | --- | --- | --- | --- | --- | --- | --- | --- |\n"
                  : "",
        f);
    for (uint32_t i = 0; i < v->n_bugs; i++) {
        const struct report_bug *const b = &v->bugs[i];
        const char *const cells[] = {b->title, b->harm,  b->targets, b->state,
                                     b->since, b->cases, b->shown,   b->size};
        (void)fprintf(f, "| %s ", b->number);
        for (size_t k = 0; k < ARRAY_N(cells); k++) {
            put_cell(cells[k], f);
        }
        put("|\n", f);
    }
}

/* The bug that a finding names; NULL: none. */
static const struct report_bug *find_bug(const struct report_view *v, uint32_t finding)
{
    for (uint32_t i = 0; i < v->n_bugs; i++) {
        if (v->bugs[i].at == finding) {
            return &v->bugs[i];
        }
    }
    return NULL;
}

/* Put a bug with all that is known of it, under a heading with its number and title; bug NULL: it is a divergence,
 * and its signature is the heading. put_item leaves out empty texts. */
static void put_bucket(const struct report_finding *x, const struct report_bug *bug,
                       struct arena *a, FILE *f)
{
    const struct campaign_finding *const raw = x->raw;
    (void)fprintf(f, "\n### %s ", bug ? bug->number : "");
    markdown_put_text(bug ? bug->title : raw->signature, f);
    put("\n\n", f);
    put_item("target", bug ? bug->targets : "", f);
    put_item("state", bug ? bug->state : "", f);
    put_item("note", bug ? bug->remark : "", f);
    put_item("seen in", bug ? bug->cases : "", f);
    put_item("found", raw->text, f);
    put_item("verdict", raw->verdict, f);
    put_item("clause", clause_text(x, a), f);
    put_item("family", raw->family, f);
    put_item("signature", raw->signature, f);
    put_item("findings",
             arena_printf(a, "%s, of %" PRIu32 " %s; the first in case %" PRIu64,
                          figures_count(a, x->n_all), x->n_members,
                          x->n_members == 1 ? "signature" : "signatures", raw->case_index),
             f);
    put_item("reproduced", report_reliability(raw->triage, a), f);
    put_item("against the baseline", baseline_names[raw->baseline], f);
    put_item("operands", raw->operands, f);
    put_item("result", raw->got, f);
    put_item("permitted", raw->permitted, f);
    put_item("passes",
             raw->triage && raw->triage->variant[0]
                 ? arena_printf(a, "when run %s", raw->triage->variant)
                 : "",
             f);
    put_item("explained by", raw->triage ? raw->triage->cause : "", f);
    put_item("what goes wrong before this value", raw->triage ? raw->triage->first_wrong : "", f);
    put_item("folder", x->folder, f);
    if (raw->replay && raw->replay[0]) {
        put("\n", f);
        markdown_put_block(raw->replay, MARKDOWN_MAX_COMMAND, f);
    }
}

/* Put the buckets, group by group under a heading each: those of violations with what is known of them,
 * others as one line each. */
static void put_groups(const struct report_view *v, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct report_finding *const x = &v->findings[i];
        if (x->head != i) {
            continue;
        }
        if (i == 0 || v->findings[i - 1].group != x->group) {
            const struct report_group_row *const group = &report_groups[x->group];
            (void)fprintf(f, "\n## %s\n\n%s\n%s", group->title, group->note,
                          is_bug(x->group) ? "" : "\n");
        }
        if (is_bug(x->group)) {
            put_bucket(x, find_bug(v, i), a, f);
            continue;
        }
        put("- ", f);
        markdown_put_text(x->target ? x->target->name : "", f);
        put(": ", f);
        markdown_put_text(x->raw->signature, f);
        (void)fprintf(f, ", %s times\n", figures_count(a, x->n_all));
    }
}

static uint64_t count_violating(const struct campaign_target *t)
{
    uint64_t n = 0;
    for (int k = 0; k < VERDICT_N; k++) {
        n = verdict_rows[k].part == PART_VIOLATION ? figures_sum(n, t->n_verdict[k]) : n;
    }
    return n;
}

static void put_targets(const struct report_view *v, struct arena *a, FILE *f)
{
    if (v->c->n_targets == 0) {
        return;
    }
    put("\n## Targets\n\n| target | runs | with violations | values judged | sharply |\n"
        "| --- | ---: | ---: | ---: | ---: |\n",
        f);
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const t = &v->c->targets[i];
        put_cell(t->name, f);
        put_cell(figures_count(a, t->n_runs), f);
        put_cell(figures_count(a, count_violating(t)), f);
        put_cell(figures_count(a, t->n_judged), f);
        put_cell(figures_share(a, t->n_sharp, t->n_judged), f);
        put("|\n", f);
    }
}

enum res report_write_markdown(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    put("# halfulp report\n\n", f);
    put("**", f);
    markdown_put_text(v->headline, f);
    put("**\n\n", f);
    for (uint32_t i = 0; i < v->summary.n; i++) {
        put_item(v->summary.fact[i].label, v->summary.fact[i].text, f);
    }
    put_overview(v, f);
    put_facts("Night after night", &v->nights, f);
    put("\n## Figures\n\n", f);
    for (uint32_t i = 0; i < v->numbers.n; i++) {
        put_item(v->numbers.fact[i].label, v->numbers.fact[i].text, f);
    }
    put_groups(v, a, f);
    put_facts("Only the earlier campaign has", &v->gone, f);
    put_facts("List of known bugs", &v->rows, f);
    put_facts("Rows of the list of states that match no bug", &v->states, f);
    put_targets(v, a, f);
    put_facts("Campaign", &v->campaign, f);
    return ferror(f) ? err_set(e, RES_IO, "report: writing the Markdown stopped") : RES_OK;
}
