/* reports/audit/audit_matrix.h -- several audits in one table: functions by line, targets and versions by column. */
#pragma once

#include <stdio.h>

#include "reports/audit/audit_column.h"

struct audit_matrix {
    const struct audit *x; /* [n] borrowed */
    uint32_t n, n_lines;
    struct audit_entry *entry; /* [n_lines * n], line by line: in each at least one row is there */
};
/* Lines in the order of the functions and types, forms in that of the first audit that has them. 0: the arena is full. */
int audit_matrix_make(struct audit_matrix *m, const struct audit *x, uint32_t n, struct arena *a);
/* The one that says what the line is. */
const struct audit_entry *audit_matrix_name(const struct audit_matrix *m, uint32_t line);

/* For a terminal: the table, then each wrong result. */
void audit_matrix_print(const struct audit_matrix *m, FILE *f);
/* table.html, table.csv (a line per form and target, the columns of audit.csv) and table.tex in that folder. */
MUST_USE enum res audit_matrix_write(const struct audit_matrix *m, const char *folder,
                                     struct err *e);
extern const char *const audit_matrix_files[]; /* NULL after the last */
