/* reports/audit/audit_csv.h -- an audit as CSV (RFC 4180), one line per form. */
#pragma once

#include "base/audit_result.h"
#include <stdio.h>

/* ferror is the caller's to look at. */
void audit_write_csv(const struct audit *x, struct arena *a, FILE *f);
/* Its two parts, for several audits in one file. */
void audit_put_csv_head(FILE *f);
void audit_put_csv_lines(const struct audit *x, struct arena *a, FILE *f);
