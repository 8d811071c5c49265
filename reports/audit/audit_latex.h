/* reports/audit/audit_latex.h -- an audit as a table for LaTeX, with booktabs. */
#pragma once

#include "base/audit_result.h"
#include <stdio.h>

/* ferror is the caller's to look at. */
void audit_write_latex(const struct audit *x, struct arena *a, FILE *f);
