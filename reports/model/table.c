/* reports/model/table.c -- tables of texts under construction. */
#include "reports/model/table.h"

#include <string.h>

#include "reports/model/figures.h"

int table_open(struct report_table *t, struct arena *a, uint32_t n_columns, uint32_t n_rows)
{
    static const struct report_cell blank = {.text = "", .tone = TONE_PLAIN};
    t->n_columns = n_columns;
    t->n_rows = n_rows;
    t->columns = ARENA_NEW(a, struct report_column, n_columns);
    t->cells = ARENA_NEW(a, struct report_cell, (size_t)n_columns * n_rows);
    if (!t->columns || !t->cells) {
        return 0;
    }
    for (size_t i = 0; i < (size_t)n_columns * n_rows; i++) {
        t->cells[i] = blank;
    }
    for (uint32_t i = 0; i < n_columns; i++) {
        t->columns[i].title = "";
    }
    return 1;
}

int table_begin(struct report_table *t, struct arena *a, const struct report_column *columns,
                uint32_t n_columns, uint32_t n_rows)
{
    if (!table_open(t, a, n_columns, n_rows)) {
        return 0;
    }
    memcpy(t->columns, columns, sizeof columns[0] * n_columns);
    t->n_rows = 0;
    return 1;
}

struct report_cell *table_add_row(struct report_table *t)
{
    return &t->cells[(size_t)t->n_rows++ * t->n_columns];
}

void table_set_columns(struct report_table *t, const char *const *titles, uint32_t n_text)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        t->columns[i] =
            (struct report_column){titles[i], i < n_text ? ALIGN_TEXT : ALIGN_NUMBER, 0};
    }
}

void table_set_cell(struct report_table *t, uint32_t row, uint32_t column, const char *text,
                    enum report_tone tone)
{
    t->cells[(size_t)row * t->n_columns + column] =
        (struct report_cell){.text = text ? text : "", .tone = tone};
}

void table_set_count(struct report_table *t, struct arena *a, uint32_t row, uint32_t column,
                     uint64_t n)
{
    table_set_cell(t, row, column, figures_count(a, n), n ? TONE_PLAIN : TONE_MUTED);
}
