/* reports/audit/audit_latex.h -- an audit as a table for LaTeX, with booktabs. */
#pragma once

#include "base/audit_result.h"
#include <stdio.h>

/* ferror is the caller's to look at. */
void audit_write_latex(const struct audit *x, struct arena *a, FILE *f);

/* Pieces of it. Foreign text in printed form, what is not ASCII as "?"; a number, "$1.5\\cdot10^{-3}$" where it is printed
 * with an exponent. */
void audit_put_latex_text(const char *text, FILE *f);
void audit_put_latex_number(double x, FILE *f);
/* A table of where the forms without wrong results have their largest errors by their bounds, if there are any. */
void audit_put_latex_attained(const struct audit *x, uint32_t n, struct arena *a, FILE *f);
/* Two tables of math libraries, if there are any: the functions without hardware instructions, and the other functions. */
void audit_put_latex_libraries(const struct audit *x, uint32_t n, struct arena *a, FILE *f);
/* What begins a file about n audits; it ends with "\\par}". A table of all their wrong results, if there are any. */
void audit_put_latex_head(const struct audit *x, uint32_t n, FILE *f);
void audit_put_latex_violations(const struct audit *x, uint32_t n, struct arena *a, FILE *f);
