/* reports/audit/audit_lines.c -- text in columns for a terminal; foreign text is made printable. */
#include "reports/audit/audit_lines.h"

#include "base/printable.h"

/* Put a text into a column of that width: to its left with spaces after, to its right with spaces before, or
 * last in the line with neither. What is too long is cut and ends in "~". Width counts what a terminal shows,
 * not bytes. */
void audit_lines_put(const char *text, unsigned width, enum lines_align align, FILE *f)
{
    unsigned n = printable_columns(text);
    unsigned n_put = 0;
    unsigned const room = n > width ? width - 1 : width;
    for (; align == LINES_RIGHT && n < width; n++) {
        (void)fputc(' ', f);
    }
    for (const char *p = text; *p;) {
        char printed[PRINTABLE_BYTES];
        p += printable_take_char(p, printed);
        unsigned const n_char = printable_columns(printed);
        if (n_put + n_char > room) {
            (void)fputc('~', f); /* cut here */
            n_put++;
            break;
        }
        (void)fputs(printed, f);
        n_put += n_char;
    }
    for (; align == LINES_LEFT && n_put < width; n_put++) {
        (void)fputc(' ', f);
    }
}
