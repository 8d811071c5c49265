/* reports/audit/audit_csv.h -- an audit as CSV (RFC 4180), one line per form. */
#pragma once

#include "base/audit_result.h"
#include <stdio.h>

/* ferror is the caller's to look at. */
void audit_write_csv(const struct audit *x, struct arena *a, FILE *f);
