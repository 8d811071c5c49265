/* reports/audit/audit_lines.h -- text in columns for a terminal; foreign text is made printable. */
#pragma once

#include <stdio.h>

enum lines_align {
    LINES_LEFT,
    LINES_RIGHT,
    LINES_LAST /* of a line: no blanks after it */
};
/* Exactly `width` columns, or at most as the last; what does not fit ends in "~". */
void audit_lines_put(const char *text, unsigned width, enum lines_align align, FILE *f);
