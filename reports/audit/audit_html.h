/* reports/audit/audit_html.h -- an audit as a page with plots. */
#pragma once

#include "base/audit_result.h"
#include <stdio.h>

/* RES_IO is the caller's to find (ferror). */
MUST_USE enum res audit_write_html(const struct audit *x, struct arena *a, FILE *f, struct err *e);
