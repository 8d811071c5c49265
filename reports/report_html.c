/* reports/report_html.c -- a report as one self-contained page without any script. */
#include <inttypes.h>

#include "base/printable.h"
#include "reports/report.h"
#include "reports/report_view.h"

static const char *const tone_class[REPORT_TONE_N] = {
    [TONE_PLAIN] = "plain", [TONE_MUTED] = "muted", [TONE_GOOD] = "good",
    [TONE_INFO] = "info",   [TONE_BAD] = "bad",
};

/* Markup of ours, as it is. */
static void put(const char *markup, FILE *f)
{
    (void)fputs(markup, f);
}

/* Everything else. */
static void put_text(const char *text, FILE *f)
{
    report_put_text(REPORT_HTML, text, f);
}

static void put_head(const struct report_view *v, FILE *f)
{
    put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", f);
    put("<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
        f);
    put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", f);
    put("<meta name=\"referrer\" content=\"no-referrer\">\n<title>halfulp report: ", f);
    put_text(v->c->plan.profile, f);
    (void)fprintf(f, ", seed %" PRIu64 "</title>\n<style>\n", v->c->plan.seed);
    for (uint32_t i = 0; i < report_style_n; i++) {
        put(report_style[i], f);
        put("\n", f);
    }
    put("</style>\n</head>\n<body>\n", f);
}

static void put_block(const struct report_fact *fact, struct arena *a, FILE *f)
{
    const char *rest = fact->text;
    put("<details><summary>", f);
    put_text(fact->label, f);
    put("</summary><pre>", f);
    for (const char *line = NULL; (line = printable_take_line(a, &rest)) != NULL;) {
        put_text(line, f);
        put("\n", f);
    }
    put("</pre></details>\n", f);
}

/* Lines as a list of terms, then the blocks, folded. */
static void put_facts(const struct report_facts *facts, struct arena *a, FILE *f)
{
    uint32_t n_lines = 0;
    for (uint32_t i = 0; i < facts->n; i++) {
        const struct report_fact *const fact = &facts->fact[i];
        if (fact->look == LOOK_BLOCK) {
            continue;
        }
        if (n_lines++ == 0) {
            put("<dl class=\"facts\">\n", f);
        }
        put("<dt>", f);
        put_text(fact->label, f);
        (void)fprintf(f, "</dt><dd class=\"%s%s\">", tone_class[fact->tone],
                      fact->look == LOOK_CODE ? " code" : "");
        put_text(fact->text, f);
        put("</dd>\n", f);
    }
    if (n_lines > 0) {
        put("</dl>\n", f);
    }
    for (uint32_t i = 0; i < facts->n; i++) {
        if (facts->fact[i].look == LOOK_BLOCK) {
            put_block(&facts->fact[i], a, f);
        }
    }
}

/* with_links: the first column leads to the findings. */
static void put_cell(const struct report_table *t, int with_links, uint32_t row, uint32_t column,
                     FILE *f)
{
    const struct report_cell *const cell = &t->cells[(size_t)row * t->n_columns + column];
    const char *const tag = column < t->n_keys ? "th" : "td";
    (void)fprintf(f, "<%s%s class=\"%s%s\">", tag, column < t->n_keys ? " scope=\"row\"" : "",
                  tone_class[cell->tone],
                  t->columns[column].align == ALIGN_NUMBER ? " number" : "");
    if (with_links && column == 0) {
        (void)fprintf(f, "<a href=\"#finding-%" PRIu32 "\">", row + 1);
        put_text(cell->text, f);
        put("</a>", f);
    } else {
        put_text(cell->text, f);
    }
    (void)fprintf(f, "</%s>", tag);
}

/* Head and rows, within a box that scrolls. */
static void put_grid(const struct report_table *t, int with_links, FILE *f)
{
    put("<table>\n<thead><tr>", f);
    for (uint32_t i = 0; i < t->n_columns; i++) {
        (void)fprintf(f, "<th scope=\"col\"%s>",
                      t->columns[i].align == ALIGN_NUMBER ? " class=\"number\"" : "");
        put_text(t->columns[i].title, f);
        put("</th>", f);
    }
    if (t->remarks) {
        (void)fprintf(f, "<th scope=\"col\">%s</th>", t->remarks_title);
    }
    put("</tr></thead>\n<tbody>\n", f);
    for (uint32_t row = 0; row < t->n_rows; row++) {
        put("<tr>", f);
        for (uint32_t i = 0; i < t->n_columns; i++) {
            put_cell(t, with_links, row, i, f);
        }
        if (t->remarks) {
            put("<td class=\"muted\">", f);
            put_text(t->remarks[row], f);
            put("</td>", f);
        }
        put("</tr>\n", f);
    }
    put("</tbody>\n</table></div>\n", f);
}

static void put_table(const struct report_view *v, enum report_table_id id, FILE *f)
{
    const struct report_table *const t = &v->tables[id];
    (void)fprintf(f, "<h2 id=\"%s\">%s</h2>\n", t->id, t->title);
    if (t->n_rows == 0) {
        (void)fprintf(f, "<p class=\"empty\">%s</p>\n", t->empty);
        return;
    }
    put("<p class=\"note\">", f);
    put_text(t->note, f);
    put("</p>\n", f);
    (void)fprintf(f, "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-labelledby=\"%s\">",
                  t->id);
    put_grid(t, id == TABLE_INDEX, f);
}

/* A table that opens on request: its title and its sums. */
static void put_folded_table(const struct report_table *t, FILE *f)
{
    put("<details><summary>", f);
    put_text(t->title, f);
    put(": ", f);
    put_text(t->note, f);
    put("</summary>\n", f);
    if (t->n_rows > 0) {
        put("<div class=\"table\" tabindex=\"0\">", f);
        put_grid(t, 0, f);
    }
    put("</details>\n", f);
}

static void put_finding(const struct report_view *v, uint32_t i, struct arena *a, FILE *f)
{
    const struct report_finding *const x = &v->findings[i];
    const struct report_group_row *const group = &report_groups[x->group];
    (void)fprintf(f, "<article id=\"finding-%" PRIu32 "\" class=\"%s\">\n<h3>", i + 1,
                  tone_class[group->tone]);
    (void)fprintf(f, "<span class=\"count\">seen %" PRIu64 " %s</span>", x->raw->n_in_bucket,
                  x->raw->n_in_bucket == 1 ? "time" : "times");
    (void)fprintf(f, "<a class=\"anchor\" href=\"#finding-%" PRIu32 "\">%" PRIu32 "</a>", i + 1,
                  i + 1);
    (void)fprintf(f, "<span class=\"badge %s\">%s</span>", tone_class[group->tone], group->badge);
    put_text(x->raw->signature, f);
    put("</h3>\n", f);
    put_facts(&x->facts, a, f);
    put("</article>\n", f);
}

static void put_findings(const struct report_view *v, struct arena *a, FILE *f)
{
    uint32_t i = 0;
    for (int g = 0; g < REPORT_GROUP_N; g++) {
        if (i == v->n_findings || v->findings[i].group != (enum report_group)g) {
            continue;
        }
        (void)fprintf(f, "<h2 class=\"group\" id=\"%s\">%s</h2>\n<p class=\"note\">%s</p>\n",
                      report_groups[g].id, report_groups[g].title, report_groups[g].note);
        for (; i < v->n_findings && v->findings[i].group == (enum report_group)g; i++) {
            put_finding(v, i, a, f);
        }
    }
}

static void put_top(const struct report_view *v, FILE *f)
{
    put("<header>\n<p class=\"eyebrow\">halfulp report</p>\n", f);
    (void)fprintf(f, "<h1 class=\"%s\">", tone_class[v->tone]);
    put_text(v->headline, f);
    put("</h1>\n", f);
    put("<ul class=\"numbers\">\n", f);
    for (uint32_t i = 0; i < v->numbers.n; i++) {
        const struct report_fact *const fact = &v->numbers.fact[i];
        (void)fprintf(f, "<li><b class=\"%s\">", tone_class[fact->tone]);
        put_text(fact->text, f);
        put("</b> ", f);
        put_text(fact->label, f);
        put("</li>\n", f);
    }
    put("</ul>\n", f);
    put("<nav aria-label=\"Sections\">", f);
    for (int i = 0; i < REPORT_TABLE_N; i++) {
        (void)fprintf(f, "<a href=\"#%s\">%s</a>", v->tables[i].id, v->tables[i].title);
    }
    put("<a href=\"#campaign\">Campaign</a></nav>\n</header>\n<main>\n", f);
}

/* What stands below a table besides it. */
static void put_extras(const struct report_view *v, enum report_table_id id, struct arena *a,
                       FILE *f)
{
    if (id == TABLE_INDEX) {
        put_findings(v, a, f);
    } else if (id == TABLE_GROUPS) {
        for (uint32_t i = 0; v->groups && i < v->c->n_targets; i++) {
            put_folded_table(&v->groups[i].table, f);
        }
    } else if (id == TABLE_TARGETS) {
        for (uint32_t i = 0; i < v->c->n_targets; i++) {
            put("<h3>", f);
            put_text(v->c->targets[i].name, f);
            put("</h3>\n", f);
            put_facts(&v->details[i], a, f);
        }
    }
}

enum res report_write_html(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    put_head(v, f);
    put_top(v, f);
    for (int i = 0; i < REPORT_TABLE_N; i++) {
        put_table(v, (enum report_table_id)i, f);
        put_extras(v, (enum report_table_id)i, a, f);
    }
    put("<h2 id=\"campaign\">Campaign</h2>\n", f);
    put_facts(&v->campaign, a, f);
    put("</main>\n<footer><p>Values are bit patterns in hex with the number they stand for in "
        "decimal. Each verdict names the rule that it rests on; the command beside it replays "
        "the case.</p></footer>\n</body>\n</html>\n",
        f);
    return ferror(f) ? err_set(e, RES_IO, "report: writing the page stopped") : RES_OK;
}
