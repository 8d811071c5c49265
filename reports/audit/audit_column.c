/* reports/audit/audit_column.c -- cells of a table on a page, each by the row of audit_columns.def that its column has. */
#include "reports/audit/audit_column.h"

#include <inttypes.h>
#include <math.h>

#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_view.h"

const char *const audit_depth_names[2] = {
    [AUDIT_EXHAUSTIVE] = "exhaustive", [AUDIT_SEARCH] = "search"};

const char *audit_name_form(const struct audit_entry *p)
{
    const char *const name = p->row->form[p->form].name;
    return name ? name : "";
}

const char *audit_name_function(const struct audit_entry *p, struct arena *a)
{
    return arena_printf(a, "%s %s", func_rows[p->row->func].name, float_formats[p->row->fmt].name);
}

const char *audit_name_line(const struct audit_entry *p, struct arena *a)
{
    return arena_printf(a, "%s %s", audit_name_function(p, a), audit_name_form(p));
}

const char *audit_row_id(uint32_t i, struct arena *a)
{
    return arena_printf(a, "row-%" PRIu32, i + 1);
}

/* A cell that is to be filled, and what it is about. */
struct filling {
    struct report_cell *cell;
    const struct audit_entry *entry;
    struct arena *a;
};

static void put_text(const struct filling *to, const char *text)
{
    (void)table_put_text(to->cell, text ? text : "");
}

static void put_bad(const struct filling *to, const char *text)
{
    (void)table_put(to->cell, text, TONE_BAD);
}

static void put_count(const struct filling *to, uint64_t n)
{
    (void)table_put_count(to->cell, n, to->a);
}

static void put_state(const struct filling *to, enum audit_state state)
{
    (void)table_put(to->cell, audit_states[state].badge, audit_states[state].tone);
}

/* The row is told of elsewhere on the page. */
static void put_link(const struct filling *to, const char *text)
{
    (void)table_put_text(to->cell, text);
    to->cell->link = audit_row_id(to->entry->at, to->a);
}

/* The input of the largest error on one side, and what it gave; an error of 0 has none. */
static void put_input(const struct filling *to, const struct sweep_worst *w)
{
    if (w->error > 0 || w->error < 0) {
        put_text(to, audit_args_text(to->a, to->entry->row, w->arg, AUDIT_HEX_AND_DECIMAL));
    }
}

static void put_got(const struct filling *to, const struct sweep_worst *w)
{
    if (w->error > 0 || w->error < 0) {
        put_text(to, audit_enc_text(to->a, to->entry->row->fmt, w->got, AUDIT_HEX_AND_DECIMAL));
    }
}

static void put_cell(const struct filling *to, enum audit_column column)
{
    const struct audit_entry *const entry = to->entry;
    struct arena *const a = to->a;
    const struct audit *const x = entry->x;
    const struct audit_row *const row = entry->row;
    const struct audit_form *const form = &row->form[entry->form];
    const struct audit_bound *const bound = &row->bound[entry->form];
    const struct sweep_result *const r = &row->result[entry->form];
    const struct audit_case *const c = &row->found[entry->form];
    switch (column) {
#define PAGE(id, title, alignment, kind, ...)                                                      \
    case COLUMN_##id:                                                                              \
        put_##kind(to, __VA_ARGS__);                                                               \
        break;
#include "reports/audit/audit_columns.def"
    case COLUMN_N:
        break;
    }
}

int audit_columns_begin(struct report_table *t, const struct audit_columns *columns,
                        uint32_t n_rows, struct arena *a)
{
    static const struct report_column all[COLUMN_N] = {
#define PAGE(id, title, alignment, kind, ...) {title, ALIGN_##alignment, 0},
#include "reports/audit/audit_columns.def"
    };
    struct report_column *const own = ARENA_NEW(a, struct report_column, columns->n);
    for (uint32_t i = 0; own && i < columns->n; i++) {
        own[i] = all[columns->list[i]];
    }
    return own && table_begin(t, a, own, columns->n, n_rows);
}

void audit_columns_add(struct report_table *t, const struct audit_columns *columns, uint32_t n,
                       const struct audit_entry *entry, struct arena *a)
{
    struct filling to = {table_add_row(t), entry, a};
    for (uint32_t i = 0; i < n; i++, to.cell++) {
        put_cell(&to, columns->list[i]);
    }
}
