/* reports/audit/audit_tables.c -- the tables of an audit's page. */
#include "reports/audit/audit_tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/audit_result.h"
#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_view.h"

static struct report_cell *put_state(struct report_cell *cell, enum audit_state state)
{
    return table_put(cell, audit_states[state].badge, audit_states[state].tone);
}

/* An input and what it gave. */
static struct report_cell *put_input(struct report_cell *cell, const struct audit_row *row,
                                     const uint64_t *arg, uint64_t got, struct arena *a)
{
    cell = table_put_text(cell, audit_args_text(a, row, arg, AUDIT_HEX_AND_DECIMAL));
    return table_put_text(cell, audit_enc_text(a, row->fmt, got, AUDIT_HEX_AND_DECIMAL));
}

const char *audit_row_id(uint32_t i, struct arena *a)
{
    return arena_printf(a, "row-%" PRIu32, i + 1);
}

/* A line of a table over all rows begins with function, type and form; the i-th row is told of elsewhere. */
static struct report_cell *add_line(struct report_table *t, const struct audit_row *row, uint32_t i,
                                    uint32_t form, struct arena *a)
{
    struct report_cell *const cell = table_add_row(t);
    (void)table_put_text(cell, func_rows[row->func].name);
    cell->link = audit_row_id(i, a);
    (void)table_put_text(cell + 1, float_formats[row->fmt].name);
    return table_put_text(cell + 2, row->form[form].name);
}

/* ---- forms that are wrong ---- */

static void add_wrong(struct report_table *t, const struct audit_row *row, uint32_t i,
                      uint32_t form, struct arena *a)
{
    const struct sweep_result *const r = &row->result[form];
    const struct audit_case *const c = &row->found[form];
    bool const is_number = c->kind == AUDIT_CASE_BOUND;
    struct report_cell *cell = add_line(t, row, i, form, a);
    cell = put_input(cell, row, c->worst.arg, c->worst.got, a);
    cell = table_put_text(cell, audit_exact_text(c));
    cell = table_put(cell, is_number ? audit_error_text(a, c->worst.error, 7) : "", TONE_BAD);
    cell = table_put_text(cell, audit_bound_text(a, &row->bound[form]));
    cell = table_put(cell, is_number ? audit_figure_text(a, c->ratio, 4) : "", TONE_BAD);
    cell = table_put_count(cell, r->n_broken, a);
    cell = table_put_count(cell, r->n_special, a);
    (void)table_put_count(cell, r->n_zero_sign, a);
}

/* Make the table of forms that are wrong: first those outside their bound, then those within it that have
 * wrong special values or signs of zero. 0: the arena is full. */
int audit_table_wrong(struct report_table *t, const struct audit *x, struct arena *a)
{
    static const struct report_column columns[] = {
        {"Function",       ALIGN_TEXT,   0},
        {"Type",           ALIGN_TEXT,   0},
        {"Form",           ALIGN_TEXT,   0},
        {"at",             ALIGN_CODE,   0},
        {"gave",           ALIGN_CODE,   0},
        {"exact",          ALIGN_CODE,   0},
        {"Error, ulp",     ALIGN_NUMBER, 0},
        {"Bound",          ALIGN_WORDS,  0},
        {"Error / bound",  ALIGN_NUMBER, 0},
        {"Outside bound",  ALIGN_NUMBER, 0},
        {"Special values", ALIGN_NUMBER, 0},
        {"Signs of zero",  ALIGN_NUMBER, 0}
    };
    struct audit_sum const s = audit_get_sum(x);
    *t = (struct report_table){
        .id = "wrong",
        .title = "Wrong results",
        .note =
            "Forms outside their bound with the input that is worst by it, then those with wrong "
            "special values or signs of zero, with an example. Exact values are correctly "
            "rounded to the digits shown.",
        .empty = audit_get_outcome(x) == AUDIT_SOME_MISSING
                     ? "None so far; not every input was tried."
                     : "None: every bound was kept, every special value is right.",
        .n_keys = 1};
    if (!table_begin(t, a, columns, ARRAY_N(columns),
                     (uint32_t)(s.n_state[AUDIT_BROKEN] + s.n_state[AUDIT_WRONG]))) {
        return 0;
    }
    for (int state = AUDIT_BROKEN; state >= AUDIT_WRONG; state--) {
        for (uint32_t i = 0; i < x->n_rows; i++) {
            for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
                if (audit_get_state(&x->rows[i], k) == (enum audit_state)state) {
                    add_wrong(t, &x->rows[i], i, k, a);
                }
            }
        }
    }
    return 1;
}

/* ---- all forms ---- */

/* The largest error by the bound, and where; of a wrong form the table of wrong results says where. */
static struct report_cell *put_attained(struct report_cell *cell, const struct audit_row *row,
                                        uint32_t form, struct arena *a)
{
    double const ratio = row->found[form].ratio;
    cell = table_put_text(cell, audit_figure_text(a, ratio, 4));
    return table_put_text(cell, ratio > 0 ? audit_attained_text(a, row, form) : "");
}

/* Add the line of a form to the table of all forms. Its last cells stay empty where it has no results; an
 * error of 0 has no input beside it. */
static void add_form(struct report_table *t, const struct audit_row *row, uint32_t i, uint32_t form,
                     struct arena *a)
{
    const struct sweep_result *const r = &row->result[form];
    enum audit_state const state = audit_get_state(row, form);
    struct report_cell *cell = add_line(t, row, i, form, a);
    cell = put_state(cell, state);
    cell = table_put_text(cell, audit_bound_text(a, &row->bound[form]));
    if (state == AUDIT_REFUSED || state == AUDIT_EMPTY) {
        return;
    }
    cell = put_attained(cell, row, form, a);
    bool const is_above = r->above.error > 0, is_below = r->below.error < 0;
    cell = table_put_text(cell, audit_error_text(a, r->above.error, 5));
    cell = table_put_text(cell, is_above ? audit_args_text(a, row, r->above.arg, AUDIT_HEX) : "");
    cell = table_put_text(cell, audit_error_text(a, r->below.error, 5));
    cell = table_put_text(cell, is_below ? audit_args_text(a, row, r->below.arg, AUDIT_HEX) : "");
    cell = table_put_text(cell, arena_printf(a, "%.4g", audit_get_mean(r)));
    cell = table_put_text(cell, audit_share_text(a, r->n_rounded, r->n_numbers));
    cell = table_put_count(cell, r->n_special, a);
    cell = table_put_count(cell, r->n_zero_sign, a);
    cell = table_put_count(cell, r->n_breaks, a);
    (void)table_put_count(cell, r->n, a);
}

/* Make the table of all forms, with its columns' titles. 0: the arena is full. */
int audit_table_forms(struct report_table *t, const struct audit *x, struct arena *a)
{
    static const struct report_column columns[] = {
        {"Function",                    ALIGN_TEXT,   0},
        {"Type",                        ALIGN_TEXT,   0},
        {"Form",                        ALIGN_TEXT,   0},
        {"State",                       ALIGN_TEXT,   0},
        {"Bound",                       ALIGN_WORDS,  0},
        {"Error / bound",               ALIGN_NUMBER, 0},
        {"attained: error of bound at", ALIGN_CODE,   0},
        {"Largest above, ulp",          ALIGN_NUMBER, 0},
        {"largest above at",            ALIGN_CODE,   0},
        {"Largest below, ulp",          ALIGN_NUMBER, 0},
        {"largest below at",            ALIGN_CODE,   0},
        {"Mean, ulp",                   ALIGN_NUMBER, 0},
        {"Correctly rounded",           ALIGN_NUMBER, 0},
        {"Special values wrong",        ALIGN_NUMBER, 0},
        {"Signs of zero wrong",         ALIGN_NUMBER, 0},
        {"Breaks",                      ALIGN_NUMBER, 0},
        {"Inputs",                      ALIGN_NUMBER, 0}
    };
    *t = (struct report_table){
        .id = "table",
        .title = "Table",
        .note =
            "Errors in units in the last place of the exact value. Error / bound is the largest "
            "that was found, with the error, the bound and the input that attain it; the largest "
            "errors above and below the exact value may be at other inputs, where the bound "
            "is another. Breaks: of monotonicity.",
        .empty = "Nothing was audited.",
        .n_keys = 1};
    if (!table_begin(t, a, columns, ARRAY_N(columns), (uint32_t)audit_get_sum(x).n_forms)) {
        return 0;
    }
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            add_form(t, &x->rows[i], i, k, a);
        }
    }
    return 1;
}

/* ---- one row ---- */

static struct report_cell *put_side(struct report_cell *cell, const struct audit_row *row,
                                    const struct sweep_worst *w, struct arena *a)
{
    cell = table_put_text(cell, audit_error_text(a, w->error, 7));
    return w->error > 0 || w->error < 0 ? put_input(cell, row, w->arg, w->got, a) : cell + 2;
}

/* Make the table of a row's largest errors: of each form the largest by its bound, then the worst input above and the one
 * below the exact value, with what the driver gave. 0: the arena is full. */
int audit_table_largest(struct report_table *t, const struct audit_row *row, struct arena *a)
{
    static const struct report_column columns[] = {
        {"Form",                        ALIGN_TEXT,   0},
        {"State",                       ALIGN_TEXT,   0},
        {"Bound",                       ALIGN_WORDS,  0},
        {"Error / bound",               ALIGN_NUMBER, 0},
        {"attained: error of bound at", ALIGN_CODE,   0},
        {"Largest above, ulp",          ALIGN_NUMBER, 0},
        {"largest above at",            ALIGN_CODE,   0},
        {"gave",                        ALIGN_CODE,   0},
        {"Largest below, ulp",          ALIGN_NUMBER, 0},
        {"largest below at",            ALIGN_CODE,   0},
        {"gave",                        ALIGN_CODE,   0},
        {"Inputs",                      ALIGN_NUMBER, 0},
        {"Flushed",                     ALIGN_NUMBER, 0},
        {"Undecided",                   ALIGN_NUMBER, 0},
    };
    *t = (struct report_table){.title = "By form: the largest error by its bound, and the largest "
                                        "errors above and below the exact value"};
    if (!table_begin(t, a, columns, ARRAY_N(columns), row->n_forms)) {
        return 0;
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_result *const r = &row->result[i];
        struct report_cell *cell = table_put_text(table_add_row(t), row->form[i].name);
        cell = put_state(cell, audit_get_state(row, i));
        cell = table_put_text(cell, audit_bound_text(a, &row->bound[i]));
        if (r->n > 0) {
            cell = put_attained(cell, row, i, a);
            cell = put_side(cell, row, &r->above, a);
            cell = put_side(cell, row, &r->below, a);
            cell = table_put_count(cell, r->n, a);
            cell = table_put_count(cell, r->n_flushed, a);
            (void)table_put_count(cell, r->n_undecided, a);
        }
    }
    return 1;
}

/* A line about one wrong result; returns the cell of its error. */
static struct report_cell *add_example(struct report_table *t, const struct audit_row *row,
                                       const char *form, const char *what, const uint64_t *arg,
                                       uint64_t got, struct arena *a)
{
    struct report_cell *cell = table_put_text(table_add_row(t), form);
    cell = table_put(cell, what, TONE_BAD);
    return put_input(cell, row, arg, got, a);
}

/* Make the table of a row's wrong results: of each form up to SWEEP_WORST of each of the three kinds. 0: the
 * arena is full. */
int audit_table_examples(struct report_table *t, const struct audit_row *row, struct arena *a)
{
    enum {
        N_KINDS = 3 /* outside the bound, special value, sign of zero */
    };
    static const struct report_column columns[] = {
        {"Form",       ALIGN_TEXT,   0},
        {"Wrong",      ALIGN_TEXT,   0},
        {"at",         ALIGN_CODE,   0},
        {"gave",       ALIGN_CODE,   0},
        {"Error, ulp", ALIGN_NUMBER, 0}
    };
    *t = (struct report_table){.title = "Wrong results, some of each kind and form"};
    if (!table_begin(t, a, columns, ARRAY_N(columns), row->n_forms * N_KINDS * SWEEP_WORST)) {
        return 0;
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_result *const r = &row->result[i];
        const char *const form = row->form[i].name;
        for (uint64_t k = 0; k < r->n_broken && k < SWEEP_WORST; k++) {
            const struct sweep_worst *const w = &r->broken[k];
            (void)table_put_text(add_example(t, row, form, "outside the bound", w->arg, w->got, a),
                                 audit_error_text(a, w->error, 7));
        }
        for (uint64_t k = 0; k < r->n_special && k < SWEEP_WORST; k++) {
            (void)add_example(t, row, form, "special value", r->special_arg[k], r->special_got[k],
                              a);
        }
        for (uint64_t k = 0; k < r->n_zero_sign && k < SWEEP_WORST; k++) {
            (void)add_example(t, row, form, "sign of zero", r->zero_arg[k], r->zero_got[k], a);
        }
    }
    return 1;
}
