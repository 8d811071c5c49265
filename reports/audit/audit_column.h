/* reports/audit/audit_column.h -- the columns that tables on a page have of a form, from audit_columns.def. */
#pragma once

#include "base/audit_result.h"
#include "reports/model/table.h"

/* A form of a function on a type in an audit. */
struct audit_entry {
    const struct audit *x;
    const struct audit_row *row; /* NULL: the audit does not have it */
    uint32_t form, at;           /* at: the row's index */
};
/* "exp f32", "exp f32 half"; "" of a form without a name. */
const char *audit_name_function(const struct audit_entry *p, struct arena *a);
const char *audit_name_line(const struct audit_entry *p, struct arena *a);
const char *audit_name_form(const struct audit_entry *p);
/* Id of the part of the page that tells of the i-th row. */
const char *audit_row_id(uint32_t i, struct arena *a);
/* "exhaustive", "search": of enum audit_depth. */
extern const char *const audit_depth_names[2];

enum audit_column {
#define PAGE(id, title, alignment, kind, ...) COLUMN_##id,
#include "reports/audit/audit_columns.def"
    COLUMN_N
};
/* Which columns a table has, from left to right. */
struct audit_columns {
    const enum audit_column *list;
    uint32_t n;
};
/* An empty table of these columns, with room for n_rows. 0: the arena is full. */
int audit_columns_begin(struct report_table *t, const struct audit_columns *columns,
                        uint32_t n_rows, struct arena *a);
/* Fill the first n columns of a new row, all others stay empty. */
void audit_columns_add(struct report_table *t, const struct audit_columns *columns, uint32_t n,
                       const struct audit_entry *entry, struct arena *a);
