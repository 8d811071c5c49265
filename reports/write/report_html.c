/* reports/write/report_html.c -- a report as two self-contained pages: the bugs, and how far that is to be trusted.
 * They load nothing, and no script but their own can run. */
#include "reports/write/report_html.h"

#include <inttypes.h>

#include "reports/write/html.h"
#include "reports/write/html_bugs.h"
#include "reports/write/html_findings.h"
#include "reports/write/html_plots.h"
#include "reports/write/report.h"

/* ---- sections of the first page ---- */

static void put_shelves(const struct page *p)
{
    for (int i = 0; i < REPORT_SHELF_N; i++) {
        html_put_shelf(p, (enum report_shelf)i);
    }
    if (p->v->n_shelf[SHELF_NEW] + p->v->n_shelf[SHELF_OPEN] > 0) {
        html_put(p, "<p class=\"note\">High: the driver loses the process, its memory or the "
                    "device. Medium: results are silently wrong. Low: the driver rejects a valid "
                    "case, or only the sign of a zero is wrong. Size: the instructions of the "
                    "smallest case, without those of an empty kernel.</p>\n");
    }
}

static void put_list(const struct page *p, const char *title, const struct report_facts *facts)
{
    if (facts->n > 0) {
        (void)fprintf(p->f, "<details><summary>%s: %" PRIu32 "</summary>\n", title, facts->n);
        html_put_facts(p, facts, 0, facts->n);
        html_put(p, "</details>\n");
    }
}

static int has_languages(const struct report_view *v)
{
    return v->c->n_in_both > 0;
}

static int has_bugs(const struct report_view *v)
{
    return v->n_bugs > 0;
}

static int has_nights(const struct report_view *v)
{
    return v->c->n_nights > 1;
}

/* Is there an earlier campaign, a list of known bugs or of states? */
static int has_lists(const struct report_view *v)
{
    return v->c->baseline || v->rows.n > 0 || v->states.n > 0;
}

static void put_lists(const struct page *p)
{
    html_put(p, "<h2 id=\"lists\">Earlier campaign and lists</h2>\n");
    if (p->v->c->baseline) {
        html_put(p, "<p>Against the earlier campaign: ");
        html_put_text(p, p->v->change, HTML_LINE_BYTES);
        html_put(p, "</p>\n");
    }
    put_list(p, "Only the earlier campaign has", &p->v->gone);
    put_list(p, "Rows of the list of known bugs", &p->v->rows);
    put_list(p, "Rows of the list of states that match no bug", &p->v->states);
}

/* ---- sections of the second page ---- */

static void put_findings(const struct page *p)
{
    html_put_table(p, &p->v->tables[TABLE_INDEX]);
    for (int g = GROUP_DIVERGENCE; g < REPORT_GROUP_N; g++) {
        html_put_group(p, (enum report_group)g);
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

static int has_unexecuted(const struct report_view *v)
{
    return v->c->n_unexecuted > 0;
}

static int has_slow(const struct report_view *v)
{
    return v->c->n_slow > 0;
}

static int has_statistics(const struct report_view *v)
{
    return v->c->n_statistics > 0;
}

/* In the order of a page: a table, or something of its own (put). */
struct section {
    int table; /* -1: none, so that id and title stand here */
    const char *id, *title;
    void (*put)(const struct page *p);
    int (*is_there)(const struct report_view *v); /* NULL: always */
};
static const struct section bug_sections[] = {
    {-1, "main",   "Bugs",                       put_shelves,    has_bugs  },
    {-1, "nights", "Night after night",          html_put_trend, has_nights},
    {-1, "each",   "Each bug",                   html_put_bugs,  has_bugs  },
    {-1, "lists",  "Earlier campaign and lists", put_lists,      has_lists },
};
static const struct section trust_sections[] = {
    {-1,                 "plots",    "In pictures", html_put_plots, NULL          },
    {TABLE_VERDICTS,     NULL,       NULL,          NULL,           NULL          },
    {TABLE_TARGETS,      NULL,       NULL,          put_targets,    NULL          },
    {TABLE_INDEX,        NULL,       NULL,          put_findings,   NULL          },
    {TABLE_CLAUSES,      NULL,       NULL,          NULL,           NULL          },
    {TABLE_COVERAGE,     NULL,       NULL,          NULL,           NULL          },
    {TABLE_GROUPS,       NULL,       NULL,          put_groups,     NULL          },
    {TABLE_SHARPNESS,    NULL,       NULL,          NULL,           NULL          },
    {TABLE_BUDGETS,      NULL,       NULL,          NULL,           NULL          },
    {TABLE_UNEXECUTED,   NULL,       NULL,          NULL,           has_unexecuted},
    {TABLE_SLOW,         NULL,       NULL,          NULL,           has_slow      },
    {TABLE_STATISTICS,   NULL,       NULL,          NULL,           has_statistics},
    {TABLE_CONTENTION,   NULL,       NULL,          NULL,           NULL          },
    {TABLE_UNADVERTISED, NULL,       NULL,          NULL,           NULL          },
    {TABLE_CROSS,        NULL,       NULL,          NULL,           NULL          },
    {TABLE_LANGUAGES,    NULL,       NULL,          NULL,           has_languages },
    {-1,                 "campaign", "Campaign",    put_campaign,   NULL          },
};

static bool is_there(const struct section *s, const struct report_view *v)
{
    return !s->is_there || s->is_there(v);
}

/* What the two pages differ in. */
struct layout {
    const struct section *sections;
    size_t n;
    const char *other, *other_title; /* the page beside it */
    bool is_back;                    /* it is named first */
    const char *footer;
};

/* Write one of the pages: first the names of its sections with something in them, for the navigation, then each
 * section, by a function of its own or as a table (s->table -1: it has none). The link to the other page comes
 * before the sections on the page that is_back, else behind them. */
static enum res write_page(const struct page *p, const struct page_head *head,
                           const struct layout *o, struct err *e)
{
    html_open_page(p, head);
    if (o->is_back) {
        html_put_page(p, o->other, o->other_title);
    }
    for (size_t i = 0; i < o->n; i++) {
        const struct section *const s = &o->sections[i];
        if (is_there(s, p->v)) {
            const struct report_table *const t = s->table < 0 ? NULL : &p->v->tables[s->table];
            html_put_section(p, t ? t->id : s->id, t ? t->title : s->title);
        }
    }
    if (!o->is_back) {
        html_put_page(p, o->other, o->other_title);
    }
    html_open_main(p);
    for (size_t i = 0; i < o->n; i++) {
        const struct section *const s = &o->sections[i];
        if (is_there(s, p->v) && s->put) {
            s->put(p);
        } else if (is_there(s, p->v)) {
            html_put_table(p, &p->v->tables[s->table]);
        }
    }
    html_close_page(p, head, o->footer);
    return ferror(p->f) ? err_set(e, RES_IO, "report: writing the page stopped") : RES_OK;
}

static const char *make_title(const struct report_view *v, struct arena *a)
{
    const char *const profile = v->c->plan.profile ? v->c->plan.profile : "";
    if (v->c->plan.modules && v->c->plan.modules[0]) {
        return arena_printf(a, "kernels of %s, seed %" PRIu64, v->c->plan.modules, v->c->plan.seed);
    }
    return arena_printf(a, "%s, seed %" PRIu64, profile, v->c->plan.seed);
}

enum res report_write_html(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct page const p = {v, a, f};
    struct page_head const head = {.what = "report",
                                   .title = make_title(v, a),
                                   .headline = v->headline,
                                   .tone = v->tone,
                                   .lead = html_put_summary,
                                   .has_script = true};
    struct layout const o = {
        bug_sections,
        ARRAY_N(bug_sections),
        REPORT_TRUST_PAGE,
        "How far to trust this",
        false,
        "Values are hexadecimal bit patterns, each with its decimal number. Each verdict names its "
        "rule. The command next to a verdict runs the case again."};
    return write_page(&p, &head, &o, e);
}

enum res report_write_trust(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    struct page const p = {v, a, f};
    struct page_head const head = {.what = "report",
                                   .title = make_title(v, a),
                                   .headline = "How far to trust this: what was run, and how "
                                               "sharply it was judged",
                                   .tone = TONE_PLAIN,
                                   .numbers = &v->numbers,
                                   .has_script = true};
    struct layout const o = {trust_sections,
                             ARRAY_N(trust_sections),
                             REPORT_PAGE,
                             "Back to the bugs",
                             true,
                             "The bugs are on the first page. A divergence is not a violation, "
                             "because no rule forbids it."};
    return write_page(&p, &head, &o, e);
}
