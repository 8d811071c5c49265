/* fuzz/audit/audit_page.h -- parts of the audit's page: markup, style sheet, tables. */
#pragma once

#include <stdio.h>

#include "fuzz/audit/audit_plot.h"
#include "fuzz/audit/audit_view.h"

/* Pieces of the style sheet. */
extern const char *const page_style[];
extern const uint32_t page_style_n;

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

/* fuzz/audit/audit_page_row.c: one row of the audit with its plots and worst inputs. */
void page_put_row(const struct audit_row *row, uint32_t i, const struct audit_plots *plots,
                  struct arena *a, FILE *f);
