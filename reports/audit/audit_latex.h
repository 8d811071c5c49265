/* reports/audit/audit_latex.h -- an audit as LaTeX rows. */
#pragma once

#include "base/audit_result.h"

MUST_USE enum res audit_write_latex(const struct audit *x, const char *path, struct err *e);
