/* reports/write/escape.c -- the only way in for foreign text. */
#include "reports/write/escape.h"

#include <assert.h>

#include "base/printable.h"
#include "reports/model/markdown.h"

static void put_printed(enum report_format format, const char *printed, FILE *f)
{
    switch (format) {
    case REPORT_TEXT:
    case REPORT_MARKDOWN: /* not one by one: report_put_text */
        (void)fputs(printed, f);
        return;
    case REPORT_HTML:
    case REPORT_JUNIT:
        switch (printed[0]) {
        case '&':
            (void)fputs("&amp;", f);
            return;
        case '<':
            (void)fputs("&lt;", f);
            return;
        case '>':
            (void)fputs("&gt;", f);
            return;
        case '"':
            (void)fputs("&quot;", f);
            return;
        case '\'':
            (void)fputs("&#39;", f);
            return;
        default:
            (void)fputs(printed, f);
            return;
        }
    case REPORT_JSON:
    case REPORT_SARIF:
        for (const char *p = printed; *p; p++) {
            if (*p == '"' || *p == '\\') {
                (void)fputc('\\', f);
            }
            (void)fputc(*p, f);
        }
        return;
    }
    assert(0 && "report_format out of range");
}

void report_put_text(enum report_format format, const char *text, FILE *f)
{
    if (format == REPORT_MARKDOWN) {
        markdown_put_text(text, f);
        return;
    }
    for (const char *p = text ? text : ""; *p;) {
        char printed[PRINTABLE_BYTES];
        p += printable_take_char(p, printed);
        put_printed(format, printed, f);
    }
}
