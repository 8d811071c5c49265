/* reports/html_findings.c -- the page's findings: bugs by family in full, others folded. */
#include <inttypes.h>
#include <string.h>

#include "reports/figures.h"
#include "reports/html.h"

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
    html_put_text(p, x->raw->signature, HTML_CELL_BYTES);
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

static void put_bug(const struct page *p, uint32_t i)
{
    const struct report_finding *const x = &p->v->findings[i];
    (void)fprintf(p->f,
                  "<article class=\"%s\" id=\"finding-%" PRIu32 "\" aria-labelledby=\"name-%" PRIu32
                  "\">\n<h4 id=\"name-%" PRIu32 "\">",
                  html_tone_class[report_groups[x->group].tone], i + 1, i + 1, i + 1);
    put_name(p, i);
    html_put(p, "</h4>\n");
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

static const char *family_of(const struct report_finding *x)
{
    return x->raw->family && x->raw->family[0] ? x->raw->family : "no family";
}

/* Bugs of one family on one target stand below a heading. */
static void put_family(const struct page *p, uint32_t i, const struct report_finding *last)
{
    const struct report_finding *const x = &p->v->findings[i];
    if (last && strcmp(family_of(x), family_of(last)) == 0 && x->target == last->target) {
        return;
    }
    html_put(p, "<h3 class=\"family\">");
    html_put_text(p, family_of(x), HTML_CELL_BYTES);
    html_put(p, " <span class=\"note\">on ");
    html_put_text(p, x->target ? x->target->name : "?", HTML_CELL_BYTES);
    html_put(p, "</span></h3>\n");
}

void html_put_group(const struct page *p, enum report_group group, int level)
{
    const struct report_group_row *const row = &report_groups[group];
    const struct report_finding *last = NULL;
    if (level > 0 && p->v->n_buckets[group] > 0) {
        (void)fprintf(p->f, "<h%d class=\"group\" id=\"%s\">%s</h%d>\n<p class=\"note\">%s</p>\n",
                      level, row->id, row->title, level, row->note);
    }
    for (uint32_t i = 0; i < p->v->n_findings; i++) {
        const struct report_finding *const x = &p->v->findings[i];
        if (x->group != group) {
            continue;
        }
        if (!is_bug(group)) {
            put_folded(p, i);
        } else if (x->head == i) {
            put_family(p, i, last);
            put_bug(p, i);
            last = x;
        }
    }
}
