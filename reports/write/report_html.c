/* reports/write/report_html.c -- a report as one self-contained page: what a lead needs first, then the rest.
 * It loads nothing, and no script but its own can run. */
#include "reports/write/report_html.h"

#include <inttypes.h>

#include "reports/write/html.h"
#include "reports/write/html_findings.h"
#include "reports/write/html_plots.h"
#include "reports/write/report.h"

/* ---- sections ---- */

static void put_bugs(const struct page *p)
{
    html_put_table(p, &p->v->tables[TABLE_BUGS]);
    html_put_group(p, GROUP_VIOLATION, 0);
    html_put_group(p, GROUP_FLAKY, 2);
}

static void put_list(const struct page *p, const char *title, const struct report_facts *facts)
{
    if (facts->n > 0) {
        (void)fprintf(p->f, "<h3>%s</h3>\n", title);
        html_put_facts(p, facts, 0, facts->n);
    }
}

/* Is there an earlier campaign, or a list of suppressions? */
static int has_languages(const struct report_view *v)
{
    return v->c->n_in_both > 0;
}

static int has_baseline(const struct report_view *v)
{
    return v->c->baseline || v->c->expected || v->rows.n > 0 || v->n_buckets[GROUP_SUPPRESSED] > 0;
}

static void put_baseline(const struct page *p)
{
    html_put(p, "<h2 id=\"baseline\">Against the baseline</h2>\n<p>");
    html_put_text(
        p, p->v->change && p->v->change[0] ? p->v->change : "Compared with no earlier campaign.",
        HTML_LINE_BYTES);
    html_put(p, "</p>\n");
    put_list(p, "Gone since the baseline", &p->v->gone);
    put_list(p, "List of suppressions", &p->v->rows);
    html_put_group(p, GROUP_SUPPRESSED, 3);
}

static void put_findings(const struct page *p)
{
    html_put_table(p, &p->v->tables[TABLE_INDEX]);
    for (int g = GROUP_DIVERGENCE; g < REPORT_GROUP_N; g++) {
        html_put_group(p, (enum report_group)g, 3);
    }
}

static void put_groups(const struct page *p)
{
    html_put_table(p, &p->v->tables[TABLE_GROUPS]);
    for (uint32_t i = 0; p->v->groups && i < p->v->c->n_targets; i++) {
        html_put_folded_table(p, &p->v->groups[i].table);
    }
}

static void put_targets(const struct page *p)
{
    html_put_table(p, &p->v->tables[TABLE_TARGETS]);
    for (uint32_t i = 0; i < p->v->c->n_targets; i++) {
        html_put(p, "<h3>");
        html_put_text(p, p->v->c->targets[i].name, HTML_CELL_BYTES);
        html_put(p, "</h3>\n");
        html_put_facts(p, &p->v->details[i], 0, p->v->details[i].n);
    }
}

static void put_campaign(const struct page *p)
{
    html_put(p, "<h2 id=\"campaign\">Campaign</h2>\n");
    html_put_facts(p, &p->v->campaign, 0, p->v->campaign.n);
}

/* In the order of the page: a table, or something of its own (put). */
static const struct section {
    int table; /* -1: none, so that id and title stand here */
    const char *id, *title;
    void (*put)(const struct page *p);
    int (*is_there)(const struct report_view *v); /* NULL: always */
} sections[] = {
    {TABLE_BUGS,         NULL,       NULL,                   put_bugs,       NULL         },
    {-1,                 "baseline", "Against the baseline", put_baseline,   has_baseline },
    {-1,                 "plots",    "In pictures",          html_put_plots, NULL         },
    {TABLE_VERDICTS,     NULL,       NULL,                   NULL,           NULL         },
    {TABLE_TARGETS,      NULL,       NULL,                   put_targets,    NULL         },
    {TABLE_INDEX,        NULL,       NULL,                   put_findings,   NULL         },
    {TABLE_CLAUSES,      NULL,       NULL,                   NULL,           NULL         },
    {TABLE_COVERAGE,     NULL,       NULL,                   NULL,           NULL         },
    {TABLE_GROUPS,       NULL,       NULL,                   put_groups,     NULL         },
    {TABLE_SHARPNESS,    NULL,       NULL,                   NULL,           NULL         },
    {TABLE_BUDGETS,      NULL,       NULL,                   NULL,           NULL         },
    {TABLE_CONTENTION,   NULL,       NULL,                   NULL,           NULL         },
    {TABLE_UNADVERTISED, NULL,       NULL,                   NULL,           NULL         },
    {TABLE_CROSS,        NULL,       NULL,                   NULL,           NULL         },
    {TABLE_LANGUAGES,    NULL,       NULL,                   NULL,           has_languages},
    {-1,                 "campaign", "Campaign",             put_campaign,   NULL         },
};

static bool is_there(const struct section *s, const struct report_view *v)
{
    return !s->is_there || s->is_there(v);
}

/* Write the report as one page: first the names of all sections with something in them, for the navigation,
 * then each section, by a function of its own or as a table. */
enum res report_write_html(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct page const p = {v, a, f};
    const char *const profile = v->c->plan.profile ? v->c->plan.profile : "";
    struct page_head const head = {
        .what = "report",
        .title = arena_printf(a, "%s, seed %" PRIu64, profile, v->c->plan.seed),
        .headline = v->headline,
        .tone = v->tone,
        .numbers = &v->numbers,
        .has_script = true};
    html_open_page(&p, &head);
    for (const struct section *s = sections; s < sections + ARRAY_N(sections); s++) {
        if (is_there(s, v)) {
            const struct report_table *const t = s->table < 0 ? NULL : &v->tables[s->table];
            html_put_section(&p, t ? t->id : s->id, t ? t->title : s->title);
        }
    }
    html_open_main(&p);
    for (const struct section *s = sections; s < sections + ARRAY_N(sections); s++) {
        if (is_there(s, v) && s->put) {
            s->put(&p);
        } else if (is_there(s, v)) {
            html_put_table(&p, &v->tables[s->table]);
        }
    }
    html_close_page(
        &p, &head,
        "Values are bit patterns in hex with the number they stand for in decimal. Each "
        "verdict names the rule that it rests on; the command beside it replays the case.");
    return ferror(f) ? err_set(e, RES_IO, "report: writing the page stopped") : RES_OK;
}
