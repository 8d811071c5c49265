/* reports/model/table.h -- tables of texts under construction. */
#pragma once

#include "reports/model/report_view.h"

/* Room for the cells, all empty, and the columns; what stands in `t` already is kept. 0 when the
 * arena is full. */
int table_open(struct report_table *t, struct arena *a, uint32_t n_columns, uint32_t n_rows);
/* The same with titles, of n_text columns of texts and then numbers. */
int table_open_titled(struct report_table *t, struct arena *a, const char *const *titles,
                      uint32_t n_columns, uint32_t n_text, uint32_t n_rows);
/* Room for a remark on each row; 0 when the arena is full. */
int table_open_remarks(struct report_table *t, struct arena *a, const char *title);
/* The same with these columns and no row yet: table_add_row takes room for up to n_rows, one by one. */
int table_begin(struct report_table *t, struct arena *a, const struct report_column *columns,
                uint32_t n_columns, uint32_t n_rows);
/* The cells of a new last row. */
struct report_cell *table_add_row(struct report_table *t);
void table_set_cell(struct report_table *t, uint32_t row, uint32_t column, const char *text,
                    enum report_tone tone);
/* A row from left to right: each fills a cell and returns the one after it. */
struct report_cell *table_get_row(const struct report_table *t, uint32_t row);
struct report_cell *table_put(struct report_cell *cell, const char *text, enum report_tone tone);
struct report_cell *table_put_text(struct report_cell *cell, const char *text);
/* 0 is muted; what is to be noted (the second) has a tone of its own where it is not 0. */
struct report_cell *table_put_count(struct report_cell *cell, uint64_t n, struct arena *a);
struct report_cell *table_put_noted(struct report_cell *cell, uint64_t n, enum report_tone tone,
                                    struct arena *a);
struct report_cell *table_put_share(struct report_cell *cell, uint64_t part, uint64_t whole,
                                    struct arena *a);
