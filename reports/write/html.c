/* reports/write/html.c -- pieces of the page: text that is cut, lists of facts, tables. */
#include "reports/write/html.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "reports/model/figures.h"
#include "reports/write/page_text.h"
#include "reports/write/report_put.h"

const char *const html_tone_class[REPORT_TONE_N] = {
    [TONE_PLAIN] = "plain", [TONE_MUTED] = "muted", [TONE_GOOD] = "good",
    [TONE_INFO] = "info",   [TONE_BAD] = "bad",
};

void html_put(const struct page *p, const char *markup)
{
    (void)fputs(markup, p->f);
}

/* The text itself when it is short enough, else its first characters. */
static const char *cut(const struct page *p, const char *text, size_t max_bytes)
{
    char printed[PRINTABLE_BYTES];
    size_t n = 0;
    while (n < max_bytes && text[n]) {
        n += printable_take_char(text + n, printed);
    }
    return text[n] ? arena_printf(p->a, "%.*s", (int)n, text) : text;
}

void html_put_text(const struct page *p, const char *text, size_t max_bytes)
{
    const char *const whole = text ? text : "";
    const char *const kept = cut(p, whole, max_bytes);
    report_put_text(REPORT_HTML, kept, p->f);
    if (kept != whole) {
        (void)fprintf(p->f, " [cut: %s bytes]", figures_count(p->a, strlen(whole)));
    }
}

/* Ours, line by line. */
static void put_lines(const struct page *p, const char *const *line)
{
    html_put(p, "\n");
    for (; *line; line++) {
        html_put(p, *line);
        html_put(p, "\n");
    }
}

static void put_numbers(const struct page *p, const struct report_facts *numbers)
{
    html_put(p, "<ul class=\"numbers\">\n");
    for (uint32_t i = 0; i < numbers->n; i++) {
        const struct report_fact *const fact = &numbers->fact[i];
        (void)fprintf(p->f, "<li><b class=\"%s\">", html_tone_class[fact->tone]);
        html_put_text(p, fact->text, HTML_CELL_BYTES);
        html_put(p, "</b> ");
        html_put_text(p, fact->label, HTML_CELL_BYTES);
        html_put(p, "</li>\n");
    }
    html_put(p, "</ul>\n");
}

/* Begin a page: its head, whose policy permits no script but ours, by its hash, and loads nothing; the
 * headline and the figures; and the navigation, which stays open for html_put_section. */
void html_open_page(const struct page *p, const struct page_head *head)
{
    html_put(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'");
    if (head->has_script) {
        html_put(p, "; script-src 'sha256-" PAGE_JS_HASH "'");
    }
    html_put(p, "\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"referrer\" content=\"no-referrer\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n");
    (void)fprintf(p->f, "<title>halfulp %s: ", head->what);
    html_put_text(p, head->title, HTML_CELL_BYTES);
    html_put(p, "</title>\n<style>");
    put_lines(p, page_css);
    if (head->style) {
        put_lines(p, head->style);
    }
    (void)fprintf(
        p->f,
        "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the findings</a>\n"
        "<header>\n<p class=\"eyebrow\">halfulp %s</p>\n<h1 class=\"%s\">",
        head->what, html_tone_class[head->tone]);
    html_put_text(p, head->headline, HTML_LINE_BYTES);
    html_put(p, "</h1>\n");
    if (head->lead) {
        head->lead(p);
    }
    if (head->numbers) {
        put_numbers(p, head->numbers);
    }
    html_put(p, "<nav aria-label=\"Sections\">");
}

void html_put_section(const struct page *p, const char *id, const char *title)
{
    (void)fprintf(p->f, "<a href=\"#%s\">%s</a>", id, title);
}

void html_put_page(const struct page *p, const char *file, const char *title)
{
    (void)fprintf(p->f, "<a href=\"%s\">%s</a>", file, title);
}

void html_open_main(const struct page *p)
{
    html_put(p, "</nav>\n</header>\n<main id=\"main\">\n");
}

void html_close_page(const struct page *p, const struct page_head *head, const char *footer)
{
    (void)fprintf(p->f, "</main>\n<footer><p>%s</p></footer>\n", footer);
    if (head->has_script) {
        html_put(p, "<script>");
        put_lines(p, page_js);
        html_put(p, "</script>\n");
    }
    html_put(p, "</body>\n</html>\n");
}

/* Put a text of lines, folded under a label, and cut if it is too long; then it is said how much is
 * missing. */
void html_put_block(const struct page *p, const char *label, const char *text)
{
    const char *const whole = text ? text : "";
    const char *const kept = cut(p, whole, HTML_BLOCK_BYTES);
    const char *rest = kept;
    html_put(p, "<details><summary>");
    html_put_text(p, label, HTML_LINE_BYTES);
    html_put(p, "</summary><pre tabindex=\"0\">");
    for (const char *line = NULL; (line = printable_take_line(p->a, &rest)) != NULL;) {
        report_put_text(REPORT_HTML, line, p->f);
        html_put(p, "\n");
    }
    html_put(p, "</pre>");
    if (kept != whole) {
        (void)fprintf(p->f, "<p class=\"note\">Cut: the first %s of %s bytes are shown%s.</p>",
                      figures_count(p->a, strlen(kept)), figures_count(p->a, strlen(whole)),
                      p->v ? "; report.json has them all" : "");
    }
    html_put(p, "</details>\n");
}

/* Put the facts from first up to last: those of one line as a list, then the blocks, each folded by
 * itself. */
void html_put_facts(const struct page *p, const struct report_facts *facts, uint32_t first,
                    uint32_t last)
{
    uint32_t n_lines = 0;
    for (uint32_t i = first; i < last; i++) {
        const struct report_fact *const fact = &facts->fact[i];
        if (fact->look == LOOK_BLOCK) {
            continue;
        }
        html_put(p, n_lines++ == 0 ? "<dl class=\"facts\">\n<dt>" : "<dt>");
        html_put_text(p, fact->label, HTML_LINE_BYTES);
        (void)fprintf(p->f, "</dt><dd class=\"%s%s\">", html_tone_class[fact->tone],
                      fact->look == LOOK_CODE ? " code" : "");
        html_put_text(p, fact->text, HTML_LINE_BYTES);
        html_put(p, "</dd>\n");
    }
    html_put(p, n_lines > 0 ? "</dl>\n" : "");
    for (uint32_t i = first; i < last; i++) {
        if (facts->fact[i].look == LOOK_BLOCK) {
            html_put_block(p, facts->fact[i].label, facts->fact[i].text);
        }
    }
}

static void put_cell(const struct page *p, const struct report_table *t, uint32_t row,
                     uint32_t column)
{
    const struct report_cell *const cell = &t->cells[(size_t)row * t->n_columns + column];
    static const char *const align_class[REPORT_ALIGN_N] = {[ALIGN_TEXT] = "",
                                                            [ALIGN_NUMBER] = " number",
                                                            [ALIGN_CODE] = " code",
                                                            [ALIGN_WORDS] = " words"};
    const char *const tag = column < t->n_keys ? "th" : "td";
    (void)fprintf(p->f, "<%s%s class=\"%s%s\">", tag, column < t->n_keys ? " scope=\"row\"" : "",
                  html_tone_class[cell->tone], align_class[t->columns[column].align]);
    if (cell->link) {
        (void)fprintf(p->f, "<a href=\"%s%s\">", strchr(cell->link, '#') ? "" : "#", cell->link);
    }
    html_put_text(p, cell->text, HTML_CELL_BYTES);
    (void)fprintf(p->f, "%s</%s>", cell->link ? "</a>" : "", tag);
}

static void put_head(const struct page *p, const struct report_table *t)
{
    html_put(p, "<thead><tr>");
    for (uint32_t i = 0; i < t->n_columns; i++) {
        (void)fprintf(p->f, "<th scope=\"col\"%s%s>",
                      t->columns[i].align == ALIGN_NUMBER ? " class=\"number\"" : "",
                      t->columns[i].is_choice ? " data-choice" : "");
        html_put_text(p, t->columns[i].title, HTML_CELL_BYTES);
        html_put(p, "</th>");
    }
    if (t->remarks) {
        (void)fprintf(p->f, "<th scope=\"col\">%s</th>", t->remarks_title);
    }
    html_put(p, "</tr></thead>\n");
}

/* Put a table, row by row, with the remark of each row as its last cell. label: the id of its title, NULL
 * without one. */
void html_put_grid(const struct page *p, const struct report_table *t, const char *label)
{
    html_put(p, "<div class=\"table\" tabindex=\"0\" role=\"region\" ");
    if (label) {
        (void)fprintf(p->f, "aria-labelledby=\"%s\">", label);
    } else {
        html_put(p, "aria-label=\"Table\">");
    }
    html_put(p, "<table>\n");
    put_head(p, t);
    html_put(p, "<tbody>\n");
    for (uint32_t row = 0; row < t->n_rows; row++) {
        html_put(p, "<tr>");
        for (uint32_t i = 0; i < t->n_columns; i++) {
            put_cell(p, t, row, i);
        }
        if (t->remarks) {
            html_put(p, "<td class=\"muted\">");
            html_put_text(p, t->remarks[row], HTML_CELL_BYTES);
            html_put(p, "</td>");
        }
        html_put(p, "</tr>\n");
    }
    html_put(p, "</tbody>\n</table></div>\n");
}

void html_put_table(const struct page *p, const struct report_table *t)
{
    (void)fprintf(p->f, "<h2 id=\"%s\">%s</h2>\n", t->id, t->title);
    if (t->n_rows == 0) {
        (void)fprintf(p->f, "<p class=\"empty\">%s</p>\n", t->empty);
        return;
    }
    html_put(p, "<p class=\"note\">");
    html_put_text(p, t->note, HTML_LINE_BYTES);
    html_put(p, "</p>\n");
    html_put_grid(p, t, t->id);
}

void html_put_folded_table(const struct page *p, const struct report_table *t)
{
    html_put(p, "<details><summary>");
    html_put_text(p, t->title, HTML_CELL_BYTES);
    html_put(p, ": ");
    html_put_text(p, t->note, HTML_LINE_BYTES);
    html_put(p, "</summary>\n");
    if (t->n_rows > 0) {
        html_put_grid(p, t, NULL);
    }
    html_put(p, "</details>\n");
}
