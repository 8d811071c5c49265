/* reports/write/report.h -- a campaign as a page and as files for people and programs. */
#pragma once

#include <stdio.h>

#include "fuzz/journal/campaign_data.h"

enum report_format {
    REPORT_TEXT,
    REPORT_HTML,
    REPORT_JSON,
    REPORT_MARKDOWN,
    REPORT_SARIF, /* 2.1.0 */
    REPORT_JUNIT, /* XML, by the schema of Jenkins */
    REPORT_TRUST  /* the second page */
};
enum {
    REPORT_FORMAT_N = 7
};
extern const char *const report_format_names[REPORT_FORMAT_N]; /* "text", "html", "json", ... */
extern const char *const report_file_names[REPORT_FORMAT_N]; /* "report.txt", "report.html", ... */

/* Write the campaign to f. HTML is two self-contained pages: the bugs, and how far to trust that (REPORT_TRUST). RES_IO
 * when f fails. */
MUST_USE enum res report_write(enum report_format format, const struct campaign *c, FILE *f,
                               struct err *e);
/* The first screen as text, for a terminal: the sentences to be read first and a few bugs, at most SUMMARY_LINES lines. */
enum {
    SUMMARY_LINES = 40
};
MUST_USE enum res report_write_summary(const struct campaign *c, FILE *f, struct err *e);
