/* reports/write/report_put.c -- the only way in for foreign text. */
#include "reports/write/report_put.h"

#include <assert.h>

#include "base/printable.h"
#include "reports/model/markdown.h"

/* What stands for a character of markup; NULL for any other. */
static const char *get_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Put one character, which is in printed form already (several bytes where it was spelled out or is not
 * ASCII), such that it has no other meaning in that format. Only single bytes have such a meaning. */
static void put_printed(enum report_format format, const char *printed, FILE *f)
{
    switch (format) {
    case REPORT_TEXT:
    case REPORT_MARKDOWN: /* not one by one: report_put_text */
        (void)fputs(printed, f);
        return;
    case REPORT_HTML:
    case REPORT_TRUST:
    case REPORT_JUNIT: {
        const char *const entity = get_entity(printed[0]);
        (void)fputs(entity ? entity : printed, f);
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
