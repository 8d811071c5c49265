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
    return table_get_row(t, t->n_rows++);
}

int table_open_titled(struct report_table *t, struct arena *a, const char *const *titles,
                      uint32_t n_columns, uint32_t n_text, uint32_t n_rows)
{
    if (!table_open(t, a, n_columns, n_rows)) {
        return 0;
    }
    for (uint32_t i = 0; i < n_columns; i++) {
        t->columns[i] =
            (struct report_column){titles[i], i < n_text ? ALIGN_TEXT : ALIGN_NUMBER, 0};
    }
    return 1;
}

int table_open_remarks(struct report_table *t, struct arena *a, const char *title)
{
    t->remarks_title = title;
    t->remarks = ARENA_NEW(a, const char *, t->n_rows);
    return t->remarks != NULL;
}

void table_set_cell(struct report_table *t, uint32_t row, uint32_t column, const char *text,
                    enum report_tone tone)
{
    (void)table_put(table_get_row(t, row) + column, text, tone);
}

struct report_cell *table_get_row(const struct report_table *t, uint32_t row)
{
    return &t->cells[(size_t)row * t->n_columns];
}

struct report_cell *table_put(struct report_cell *cell, const char *text, enum report_tone tone)
{
    *cell = (struct report_cell){.text = text ? text : "", .tone = tone};
    return cell + 1;
}

struct report_cell *table_put_text(struct report_cell *cell, const char *text)
{
    return table_put(cell, text, TONE_PLAIN);
}

struct report_cell *table_put_noted(struct report_cell *cell, uint64_t n, enum report_tone tone,
                                    struct arena *a)
{
    return table_put(cell, figures_count(a, n), n > 0 ? tone : TONE_MUTED);
}

struct report_cell *table_put_count(struct report_cell *cell, uint64_t n, struct arena *a)
{
    return table_put_noted(cell, n, TONE_PLAIN, a);
}

struct report_cell *table_put_share(struct report_cell *cell, uint64_t part, uint64_t whole,
                                    struct arena *a)
{
    return table_put_text(cell, figures_share(a, part, whole));
}
