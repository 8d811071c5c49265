/* reports/write/report.c -- a campaign in one of the formats. */
#include "reports/write/report.h"

#include <errno.h>
#include <string.h>

#include "reports/model/report_make.h"
#include "reports/write/report_html.h"
#include "reports/write/report_json.h"
#include "reports/write/report_junit.h"
#include "reports/write/report_markdown.h"
#include "reports/write/report_sarif.h"
#include "reports/write/report_text.h"

/* A campaign of some 10,000 buckets with full logs; a report past this is of no use to anyone. No
 * single text is longer than the room that must be left, so that a text that was cut shows. */
enum {
    REPORT_ARENA_BYTES = 512 << 20,
    REPORT_LEFT_BYTES = 64 << 20
};

const char *const report_format_names[REPORT_FORMAT_N] = {"text",  "html",  "json", "markdown",
                                                          "sarif", "junit", "trust"};
const char *const report_file_names[REPORT_FORMAT_N] = {
    "report.txt",   REPORT_PAGE,  "report.json",    "report.md",
    "report.sarif", "report.xml", REPORT_TRUST_PAGE};

/* Write a campaign's report in one format. RES_LIMIT: so much text that something may be missing from it, as
 * a full arena gives "". */
enum res report_write(enum report_format format, const struct campaign *c, FILE *f, struct err *e)
{
    enum res r = RES_OK;
    struct report_view v;
    struct arena a;
    arena_init(&a, REPORT_ARENA_BYTES);
    r = report_view_make(&v, c, &a, e);
    if (r != RES_OK) {
        goto out;
    }
    switch (format) {
    case REPORT_TEXT:
        r = report_write_text(&v, &a, f, e);
        break;
    case REPORT_HTML:
        r = report_write_html(&v, &a, f, e);
        break;
    case REPORT_JSON:
        r = report_write_json(&v, &a, f, e);
        break;
    case REPORT_MARKDOWN:
        r = report_write_markdown(&v, &a, f, e);
        break;
    case REPORT_SARIF:
        r = report_write_sarif(&v, &a, f, e);
        break;
    case REPORT_JUNIT:
        r = report_write_junit(&v, &a, f, e);
        break;
    case REPORT_TRUST:
        r = report_write_trust(&v, &a, f, e);
        break;
    }
    if (r == RES_OK && a.used_bytes > REPORT_ARENA_BYTES - REPORT_LEFT_BYTES) {
        r = err_set(e, RES_LIMIT, "report: %zu bytes of text are too many", a.used_bytes);
    }
    if (r == RES_OK && (fflush(f) != 0 || ferror(f))) {
        r = err_set(e, RES_IO, "report: writing stopped: %s", strerror(errno));
    }
out:
    arena_free(&a);
    return r;
}

enum res report_write_summary(const struct campaign *c, FILE *f, struct err *e)
{
    struct report_view v;
    struct arena a;
    arena_init(&a, REPORT_ARENA_BYTES);
    enum res r = report_view_make(&v, c, &a, e);
    if (r == RES_OK) {
        r = report_put_summary(&v, SUMMARY_LINES, &a, f, e);
    }
    arena_free(&a);
    return r;
}
