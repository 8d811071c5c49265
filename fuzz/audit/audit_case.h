/* fuzz/audit/audit_case.h -- the result that tells most of a form: its worst wrong one, or its largest error. */
#pragma once

#include "base/audit_result.h"
#include "base/testcase.h"

/* Fill row->found of all forms, from their results; texts in `a`. Exact values by MPFR, certified. facts: of the target.
 * Where a bound applies to a part of the arguments only, above and below of the results are those of that part then. */
void audit_case_find(struct audit_row *row, enum env env, const char *facts, struct arena *a);
/* The exact value of the row's function at the arguments of w, in decimal. */
const char *audit_case_show_exact(const struct audit_row *row, enum env env,
                                  const struct sweep_worst *w, struct arena *a);
