/* reports/write/report_text.h -- a report as plain text, at most 120 columns. */
#pragma once

#include "reports/model/report_view.h"
#include <stdio.h>

/* RES_IO is the caller's to find (ferror). */
MUST_USE enum res report_write_text(const struct report_view *v, struct arena *a, FILE *f,
                                    struct err *e);
/* The first screen alone, in at most max_lines lines: bugs that have no room are counted. */
MUST_USE enum res report_put_summary(const struct report_view *v, uint32_t max_lines,
                                     struct arena *a, FILE *f, struct err *e);
