/* reports/audit/audit_html.h -- an audit as a page with plots. */
#pragma once

#include "base/audit_result.h"

MUST_USE enum res audit_write_html(const struct audit *x, const char *path, struct err *e);
