/* reports/audit/audit_csv.h -- an audit as CSV. */
#pragma once

#include "base/audit_result.h"

MUST_USE enum res audit_write_csv(const struct audit *x, const char *path, struct err *e);
