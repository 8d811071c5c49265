/* reports/audit/audit_report.h -- the table of an audit for a terminal. */
#pragma once

#include <stdio.h>

#include "base/audit_result.h"

void audit_print(const struct audit *x, FILE *f);
