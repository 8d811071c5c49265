/* reports/audit/audit_page.h -- parts of the audit's page: markup, tables. */
#pragma once

#include <stdio.h>

#include "reports/audit/audit_view.h"

/* A table under way: page_open_table, then per line page_open_line, cells, page_close_line. */
struct page_column {
    const char *title;
    int is_number;
};
void page_open_table(const char *label, const struct page_column *columns, uint32_t n, FILE *f);
void page_open_line(FILE *f);
void page_put_cell(const char *text, const char *classes, FILE *f); /* foreign text may be in it */
void page_put_state(enum audit_state state, FILE *f);
void page_close_line(FILE *f);
void page_close_table(FILE *f);

/* Log or facts, folded away, line by line. */
void page_put_block(const char *title, const char *text, struct arena *a, FILE *f);
