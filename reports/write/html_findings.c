/* reports/write/html_findings.c -- the page's findings: bugs by family in full, others folded. */
#include "reports/write/html_findings.h"

#include <inttypes.h>
#include <string.h>

#include "reports/model/figures.h"
#include "reports/model/report_view.h"

static int is_bug(enum report_group g)
{
    return g == GROUP_VIOLATION || g == GROUP_FLAKY;
}

static const char *times(uint64_t n)
{
    return n == 1 ? "case" : "cases";
}

/* Number, what it is and how often: the line that names a finding. */
static void put_name(const struct page *p, uint32_t i)
{
    const struct report_finding *const x = &p->v->findings[i];
    const char *const tone = html_tone_class[report_groups[x->group].tone];
    uint64_t const n = x->head == i ? x->n_all : x->raw->n_in_bucket;
    (void)fprintf(p->f, "<span class=\"count\">%s %s</span>", figures_count(p->a, n), times(n));
    (void)fprintf(p->f,
                  "<span class=\"serial\">%" PRIu32 "</span> <span class=\"badge %s\">%s</span> ",
                  i + 1, tone, report_groups[x->group].badge);
    html_put_text(p, report_get_name(x->raw->signature, p->a), HTML_CELL_BYTES);
}

/* A finding that opens on request. */
static void put_folded(const struct page *p, uint32_t i)
{
    const struct report_finding *const x = &p->v->findings[i];
    (void)fprintf(p->f, "<details class=\"finding\" id=\"finding-%" PRIu32 "\"><summary>", i + 1);
    put_name(p, i);
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
            put_folded(p, i);
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

/* Put bug i, which is the finding that names a bucket, with its brief facts, the same case on other targets,
 * the folded evidence, and the other findings of the bucket. `level` is that of its heading. */
static void put_bug(const struct page *p, uint32_t i, int level)
{
    const struct report_finding *const x = &p->v->findings[i];
    (void)fprintf(p->f,
                  "<article class=\"%s\" id=\"finding-%" PRIu32 "\" aria-labelledby=\"name-%" PRIu32
                  "\">\n<h%d id=\"name-%" PRIu32 "\">",
                  html_tone_class[report_groups[x->group].tone], i + 1, i + 1, level, i + 1);
    put_name(p, i);
    (void)fprintf(p->f, "</h%d>\n", level);
    html_put_facts(p, &x->facts, 0, x->n_brief);
    put_where(p, &x->where);
    if (x->folder) {
        put_folder(p, x->folder);
    }
    html_put(p, "<details><summary>Evidence, and how to run it again</summary>\n");
    html_put_facts(p, &x->facts, x->n_brief, x->facts.n);
    html_put(p, "</details>\n");
    put_members(p, i);
    html_put(p, "</article>\n");
}

/* The next bug behind finding i in its group, n_findings when there is none. */
static uint32_t next_bug(const struct report_view *v, uint32_t i)
{
    uint32_t k = i + v->findings[i].n_members;
    return k < v->n_findings && v->findings[k].group == v->findings[i].group ? k : v->n_findings;
}

static int is_same_family(const struct report_finding *x, const struct report_finding *y)
{
    return x->target == y->target && x->raw->family && y->raw->family &&
           strcmp(x->raw->family, y->raw->family) == 0;
}

/* Put the bugs of one family on one target, from i on: under a heading of their own where they are several,
 * so that a bug's heading is then a level below. Returns the first bug behind them. */
static uint32_t put_family(const struct page *p, uint32_t i)
{
    const struct report_finding *const x = p->v->findings;
    const struct report_finding *const first = &x[i];
    uint32_t const n = p->v->n_findings;
    uint32_t next = next_bug(p->v, i);
    if (next == n || !is_same_family(first, &x[next])) {
        put_bug(p, i, 3);
        return next;
    }
    html_put(p, "<section class=\"family\">\n<h3>");
    html_put_text(p, report_get_name(first->raw->family, p->a), HTML_CELL_BYTES);
    html_put(p, " <span class=\"note\">on ");
    html_put_text(p, first->target ? first->target->name : "?", HTML_CELL_BYTES);
    html_put(p, "</span></h3>\n");
    for (next = i; next < n && is_same_family(first, &x[next]); next = next_bug(p->v, next)) {
        put_bug(p, next, 4);
    }
    html_put(p, "</section>\n");
    return next;
}

void html_put_group(const struct page *p, enum report_group group, int level)
{
    const struct report_group_row *const row = &report_groups[group];
    uint32_t const n = p->v->n_findings;
    uint32_t i = 0;
    while (i < n && p->v->findings[i].group != group) {
        i++;
    }
    if (i < n && level > 0) {
        (void)fprintf(p->f, "<h%d class=\"group\" id=\"%s\">%s</h%d>\n<p class=\"note\">%s</p>\n",
                      level, row->id, row->title, level, row->note);
    }
    while (is_bug(group) && i < n) {
        i = put_family(p, i);
    }
    for (; i < n && p->v->findings[i].group == group; i++) {
        put_folded(p, i);
    }
}
