/* reports/audit/audit_page.c -- parts of the audit's page: tables and folded texts. */
#include "reports/audit/audit_page.h"

#include "base/printable.h"

void page_open_table(const char *label, const struct page_column *columns, uint32_t n, FILE *f)
{
    (void)fputs("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"", f);
    audit_put_html(label, f);
    (void)fputs("\">\n<table>\n<thead><tr>", f);
    for (uint32_t i = 0; i < n; i++) {
        (void)fprintf(f, "<th scope=\"col\"%s>%s</th>",
                      columns[i].is_number ? " class=\"number\"" : "", columns[i].title);
    }
    (void)fputs("</tr></thead>\n<tbody>\n", f);
}

void page_open_line(FILE *f)
{
    (void)fputs("<tr>", f);
}

void page_put_cell(const char *text, const char *classes, FILE *f)
{
    (void)fprintf(f, "<td%s%s%s>", classes[0] ? " class=\"" : "", classes, classes[0] ? "\"" : "");
    audit_put_html(text, f);
    (void)fputs("</td>", f);
}

void page_put_state(enum audit_state state, FILE *f)
{
    page_put_cell(audit_states[state].badge, audit_states[state].tone, f);
}

void page_close_line(FILE *f)
{
    (void)fputs("</tr>\n", f);
}

void page_close_table(FILE *f)
{
    (void)fputs("</tbody>\n</table></div>\n", f);
}

void page_put_block(const char *title, const char *text, struct arena *a, FILE *f)
{
    const char *rest = audit_cut(a, text);
    (void)fputs("<details><summary class=\"log\">", f);
    audit_put_html(title, f);
    (void)fputs("</summary><pre tabindex=\"0\">", f);
    for (const char *line = NULL; (line = printable_take_line(a, &rest)) != NULL;) {
        audit_put_html(line, f);
        (void)fputc('\n', f);
    }
    (void)fputs("</pre></details>\n", f);
}
