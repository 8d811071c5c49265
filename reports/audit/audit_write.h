/* reports/audit/audit_write.h -- an audit as files for people and programs. */
#pragma once

#include "base/audit_result.h"

enum audit_format {
    AUDIT_JSON,
    AUDIT_HTML,
    AUDIT_CSV,
    AUDIT_LATEX
};
enum {
    AUDIT_FORMAT_N = 4
};
extern const char *const audit_file_names[AUDIT_FORMAT_N]; /* "audit.json", "audit.html", ... */

/* The file appears whole or not at all. */
MUST_USE enum res audit_write(enum audit_format format, const struct audit *x, const char *path,
                              struct err *e);
