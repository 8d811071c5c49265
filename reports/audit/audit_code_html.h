/* reports/audit/audit_code_html.h -- which bounds change the code that compilers make, as a page. */
#pragma once

#include "base/audit_result.h"

/*
 * What audit_code_run (fuzz/audit/audit_code.h) found of n targets, n >= 1: a row per function and type, a column per
 * bound. Targets whose tables are the same are told of once.
 */
MUST_USE enum res audit_code_write_html(const struct audit *x, uint32_t n, const char *path,
                                        struct err *e);
