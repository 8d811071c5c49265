/* reports/write/html_findings.c -- the page's findings: bugs by family in full, others folded. */
#include "reports/write/html_findings.h"

#include <inttypes.h>
#include <string.h>

#include "reports/model/figures.h"
#include "reports/model/report_view.h"

/* Number, how it stands, what it is and how often: the line that names a finding. bug: of a bucket of violations, by
 * the finding that names it; NULL: of another one. */
static void put_name(const struct page *p, uint32_t i, const struct report_bug *bug)
{
    const struct report_finding *const x = &p->v->findings[i];
    const struct report_group_row *const group = &report_groups[x->group];
    if (bug) {
        (void)fprintf(p->f, "<span class=\"count\">%s</span>", bug->cases);
    } else {
        uint64_t const n = x->head == i ? x->n_all : x->raw->n_in_bucket;
        (void)fprintf(p->f, "<span class=\"count\">%s %s</span>", figures_count(p->a, n),
                      n == 1 ? "finding" : "findings");
    }
    (void)fprintf(p->f, "<span class=\"serial\">#%" PRId64 "</span> <span class=\"badge %s\">",
                  x->raw->id, html_tone_class[group->tone]);
    html_put_text(p, bug ? bug->state : group->badge, HTML_CELL_BYTES);
    html_put(p, "</span> ");
    html_put_text(p, bug ? bug->title : report_get_name(x->raw->signature, p->a), HTML_CELL_BYTES);
}

/* A finding that opens on request. */
static void put_folded(const struct page *p, uint32_t i, const struct report_bug *bug)
{
    const struct report_finding *const x = &p->v->findings[i];
    (void)fprintf(p->f, "<details class=\"finding\" id=\"finding-%" PRId64 "\"><summary>",
                  x->raw->id);
    put_name(p, i, bug);
    html_put(p, "</summary>\n");
    html_put_facts(p, &x->facts, 0, x->facts.n);
    html_put(p, "</details>\n");
}

static void put_members(const struct page *p, uint32_t head)
{
    uint32_t const n = p->v->findings[head].n_members - 1;
    if (n > 0) {
        (void)fprintf(p->f, "<details><summary>%" PRIu32 " more %s of this bug</summary>\n", n,
                      n == 1 ? "signature" : "signatures");
        for (uint32_t i = head + 1; i <= head + n; i++) {
            put_folded(p, i, NULL);
        }
        html_put(p, "</details>\n");
    }
}

/* The folder is below the campaign's, where the page lies as well. */
static void put_folder(const struct page *p, const char *folder)
{
    (void)fprintf(p->f,
                  "<p class=\"folder\">To send as it is: <a href=\"%s/report.md\">%s</a></p>\n",
                  folder, folder);
}

static void put_where(const struct page *p, const struct report_table *t)
{
    if (t->n_rows > 0) {
        html_put(p, "<p class=\"note\">");
        html_put_text(p, t->title, HTML_CELL_BYTES);
        html_put(p, ":</p>\n");
        html_put_grid(p, t, NULL);
    }
}

/* Put a bug with its brief facts, the same case on other targets, the folded evidence, and the other findings of the
 * bucket. */
static void put_bug(const struct page *p, const struct report_bug *bug)
{
    const struct report_finding *const x = &p->v->findings[bug->at];
    int64_t const id = x->raw->id;
    (void)fprintf(p->f,
                  "<article class=\"%s\" id=\"finding-%" PRId64 "\" aria-labelledby=\"name-%" PRId64
                  "\">\n<h3 id=\"name-%" PRId64 "\">",
                  html_tone_class[report_groups[x->group].tone], id, id, id);
    put_name(p, bug->at, bug);
    html_put(p, "</h3>\n");
    html_put_facts(p, &x->facts, 0, x->n_brief);
    put_where(p, &x->where);
    if (x->folder) {
        put_folder(p, x->folder);
    }
    html_put(p, "<details><summary>Evidence, and how to run it again</summary>\n");
    html_put_facts(p, &x->facts, x->n_brief, x->facts.n);
    html_put(p, "</details>\n");
    put_members(p, bug->at);
    html_put(p, "</article>\n");
}

void html_put_bugs(const struct page *p)
{
    uint32_t const n = p->v->n_bugs - p->v->n_shelf[SHELF_ASIDE];
    html_put(p, "<h2 id=\"each\">Each bug</h2>\n");
    for (uint32_t i = 0; i < n; i++) {
        put_bug(p, &p->v->bugs[i]);
    }
    html_put(p, n < p->v->n_bugs ? "<details><summary>The known ones</summary>\n" : "");
    for (uint32_t i = n; i < p->v->n_bugs; i++) {
        put_folded(p, p->v->bugs[i].at, &p->v->bugs[i]);
        put_members(p, p->v->bugs[i].at);
    }
    html_put(p, n < p->v->n_bugs ? "</details>\n" : "");
}

void html_put_group(const struct page *p, enum report_group group)
{
    const struct report_group_row *const row = &report_groups[group];
    uint32_t const n = p->v->n_findings;
    uint32_t i = 0;
    while (i < n && p->v->findings[i].group != group) {
        i++;
    }
    if (i < n) {
        (void)fprintf(p->f, "<h3 class=\"group\" id=\"%s\">%s</h3>\n<p class=\"note\">%s</p>\n",
                      row->id, row->title, row->note);
    }
    for (; i < n && p->v->findings[i].group == group; i++) {
        put_folded(p, i, NULL);
    }
}
