/* reports/audit/audit_write.c -- an audit in one of the formats. */
#include "reports/audit/audit_write.h"

#include "base/file.h"
#include "reports/audit/audit_csv.h"
#include "reports/audit/audit_html.h"
#include "reports/audit/audit_json.h"
#include "reports/audit/audit_latex.h"

enum {
    WRITE_ARENA_BYTES = 512 << 20 /* the tables of a page, and logs that are cut */
};

const char *const audit_file_names[AUDIT_FORMAT_N] = {"audit.json", "audit.html", "audit.csv",
                                                      "audit.tex"};

/* Write an audit in one format to a file, which appears only when it is complete. */
enum res audit_write(enum audit_format format, const struct audit *x, const char *path,
                     struct err *e)
{
    struct file_writer w;
    struct arena a;
    enum res r = file_begin(&w, path, e);
    if (r != RES_OK) {
        return r;
    }
    arena_init(&a, WRITE_ARENA_BYTES);
    switch (format) {
    case AUDIT_JSON:
        r = audit_write_json(x, &a, w.f, e);
        break;
    case AUDIT_HTML:
        r = audit_write_html(x, &a, w.f, e);
        break;
    case AUDIT_CSV:
        audit_write_csv(x, &a, w.f);
        break;
    case AUDIT_LATEX:
        audit_write_latex(x, &a, w.f);
        break;
    }
    arena_free(&a);
    return file_end(&w, r, e);
}
