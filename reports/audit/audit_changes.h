/* reports/audit/audit_changes.h -- what changed between two audits. */
#pragma once

#include <stdio.h>

#include "base/audit_result.h"

void audit_print_changes(const struct audit *old, const struct audit *now, FILE *f);
