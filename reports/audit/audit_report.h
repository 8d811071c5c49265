/* reports/audit/audit_report.h -- the table of an audit for a terminal. */
#pragma once

#include <stdio.h>

#include "base/audit_result.h"

void audit_print(const struct audit *x, FILE *f);

/* The lines of a wrong result: the call, what it gave, the exact value, the error and how much of the bound it is. */
void audit_put_violation(const struct audit_row *row, const struct audit_case *c, struct arena *a,
                         FILE *f);
