/* reports/audit/audit_code_table.h -- which forms of a function change the code that a compiler makes, as a table. */
#pragma once

#include <stdio.h>

#include "base/audit_result.h"

/*
 * Rows of fuzz/audit/audit_code.h, one line a form: what code came of it, "as plain" where it is that of the plain
 * form, or why it was refused. As text for people; and of n targets with tabs between the columns target, function,
 * type, form, state (audit_code_states), code (a hash of its text, the same for the same code), what.
 */
void audit_code_print(const struct audit *x, FILE *f);
MUST_USE enum res audit_code_save(const struct audit *x, uint32_t n, const char *path,
                                  struct err *e);
