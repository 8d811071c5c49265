/* reports/audit/audit_tables.c -- the tables of an audit's page. */
#include "reports/audit/audit_tables.h"

#include <string.h>

#include "base/audit_result.h"
#include "reports/audit/audit_column.h"
#include "reports/audit/audit_view.h"

/* ---- forms that are wrong ---- */

/* Make the table of forms that are wrong: first those outside their bound, then those within it that have
 * wrong special values or signs of zero. 0: the arena is full. */
int audit_table_wrong(struct report_table *t, const struct audit *x, struct arena *a)
{
    static const enum audit_column list[] = {
        COLUMN_FUNCTION,    COLUMN_TYPE,     COLUMN_FORM,        COLUMN_AT,
        COLUMN_GAVE,        COLUMN_EXACT,    COLUMN_WRONG_ERROR, COLUMN_BOUND,
        COLUMN_WRONG_RATIO, COLUMN_N_BROKEN, COLUMN_N_SPECIAL,   COLUMN_N_ZERO};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    struct audit_sum const s = audit_get_sum(x);
    *t = (struct report_table){
        .id = "wrong",
        .title = "Wrong results",
        .note = "First the forms that break their bound, each with the input that breaks it most. "
                "Then the forms with wrong special values or signs of zero, each with an example. "
                "Exact values are correctly rounded to the digits shown.",
        .empty = audit_get_outcome(x) == AUDIT_SOME_MISSING
                     ? "None so far; not every input was tried."
                 : s.n_state[AUDIT_NONE_FOUND]
                     ? "None among the arguments that were tried."
                     : "None: every bound was kept, every special value is right.",
        .n_keys = 1};
    if (!audit_columns_begin(t, &columns,
                             (uint32_t)(s.n_state[AUDIT_BROKEN] + s.n_state[AUDIT_WRONG]), a)) {
        return 0;
    }
    for (int state = AUDIT_BROKEN; state >= AUDIT_WRONG;
         state--) { /* adjacent in enum audit_state */
        for (uint32_t i = 0; i < x->n_rows; i++) {
            for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
                if (audit_get_state(&x->rows[i], k) == (enum audit_state)state) {
                    struct audit_entry const entry = {x, &x->rows[i], k, i};
                    audit_columns_add(t, &columns, columns.n, &entry, a);
                }
            }
        }
    }
    return 1;
}

/* ---- all forms ---- */

/* Make the table of all forms; the last cells of one without results stay empty. 0: the arena is full. */
int audit_table_forms(struct report_table *t, const struct audit *x, struct arena *a)
{
    enum {
        N_WITHOUT_RESULTS = 5 /* columns: up to the bound */
    };
    static const enum audit_column list[] = {
        COLUMN_FUNCTION, COLUMN_TYPE,     COLUMN_FORM,    COLUMN_STATE,    COLUMN_BOUND,
        COLUMN_RATIO,    COLUMN_ATTAINED, COLUMN_ABOVE,   COLUMN_ABOVE_AT, COLUMN_BELOW,
        COLUMN_BELOW_AT, COLUMN_MEAN,     COLUMN_ROUNDED, COLUMN_SPECIAL,  COLUMN_ZERO,
        COLUMN_BREAKS,   COLUMN_INPUTS};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){
        .id = "table",
        .title = "Table",
        .note = "Errors are in units in the last place of the exact value. Error / bound is the "
                "largest quotient that was found, with the error, bound and input at which it "
                "occurs. The largest errors above and below the exact value may be at other inputs "
                "with other bounds. Breaks: places where the function is not monotonic.",
        .empty = "Nothing was audited.",
        .n_keys = 1};
    if (!audit_columns_begin(t, &columns, (uint32_t)audit_get_sum(x).n_forms, a)) {
        return 0;
    }
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            struct audit_entry const entry = {x, &x->rows[i], k, i};
            enum audit_state const state = audit_get_state(entry.row, k);
            bool const is_run = state != AUDIT_REFUSED && state != AUDIT_EMPTY;
            audit_columns_add(t, &columns, is_run ? columns.n : N_WITHOUT_RESULTS, &entry, a);
        }
    }
    return 1;
}

/* ---- math libraries, order and symmetry ---- */

/* Does a table have a line for this form? */
typedef bool takes_form(const struct audit_row *row, uint32_t form);

static bool is_uneven(const struct audit_row *row, uint32_t form)
{
    return row->result[form].n_breaks > 0 || row->result[form].n_asymmetric > 0;
}

/* Fill a table whose words are there with the forms that it takes. 0: the arena is full. */
static int fill_table(struct report_table *t, const struct audit *x,
                      const struct audit_columns *columns, takes_form *takes, struct arena *a)
{
    if (!audit_columns_begin(t, columns, (uint32_t)audit_get_sum(x).n_forms, a)) {
        return 0;
    }
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            struct audit_entry const entry = {x, &x->rows[i], k, i};
            if (takes(&x->rows[i], k)) {
                audit_columns_add(t, columns, columns->n, &entry, a);
            }
        }
    }
    return 1;
}

int audit_table_own(struct report_table *t, const struct audit *x, struct arena *a)
{
    static const enum audit_column list[] = {
        COLUMN_FUNCTION,   COLUMN_TYPE,  COLUMN_FORM,   COLUMN_STATE,      COLUMN_LARGEST,
        COLUMN_LARGEST_AT, COLUMN_BOUND, COLUMN_VULKAN, COLUMN_DOCUMENTED, COLUMN_DOCUMENTED_STATE,
        COLUMN_BEYOND};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){
        .id = "own",
        .title = "The library's own results",
        .note = "Functions without any hardware instruction: these results need no assumption. "
                "\"kept +0.5\": the largest error is beyond the vendor's bound by at most half an "
                "ulp, which the bound permits if the vendor counts from the correctly rounded "
                "result. Beyond it, at least: results with a larger error than the vendor's bound.",
        .empty = "None.",
        .n_keys = 1};
    return fill_table(t, x, &columns, audit_has_own_result, a);
}

int audit_table_modelled(struct report_table *t, const struct audit *x, struct arena *a)
{
    static const enum audit_column list[] = {COLUMN_FUNCTION,
                                             COLUMN_TYPE,
                                             COLUMN_FORM,
                                             COLUMN_OPERATIONS,
                                             COLUMN_STATE,
                                             COLUMN_LARGEST,
                                             COLUMN_LARGEST_AT,
                                             COLUMN_ERRS,
                                             COLUMN_ERRS_AT,
                                             COLUMN_BOUND,
                                             COLUMN_VULKAN,
                                             COLUMN_DOCUMENTED,
                                             COLUMN_DOCUMENTED_STATE,
                                             COLUMN_BEYOND};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){
        .id = "modelled",
        .title = "Results that depend on the hardware",
        .note =
            "Functions with operations that the hardware executes. State, largest error and the "
            "comparison with the vendor's bound are those of a hardware that rounds these "
            "operations correctly. If the operations err within their documented bounds, the "
            "largest error is at least the second number: the largest that was found with "
            "errors downwards, upwards and at random. It is no upper limit.",
        .empty = "None.",
        .n_keys = 1};
    return fill_table(t, x, &columns, audit_has_modelled_result, a);
}

int audit_table_order(struct report_table *t, const struct audit *x, struct arena *a)
{
    static const enum audit_column list[] = {
        COLUMN_FUNCTION, COLUMN_TYPE,       COLUMN_FORM,         COLUMN_BREAKS,
        COLUMN_BREAK_AT, COLUMN_ASYMMETRIC, COLUMN_ASYMMETRIC_AT};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){
        .id = "order",
        .title = "Order and symmetry",
        .note =
            "Places where a monotonic function is not monotonic between neighbouring inputs, and "
            "binades of arguments (all numbers of one exponent) in which an odd or even function "
            "has other results for -x than for x. No specification forbids either. Only where "
            "every input was tried.",
        .empty =
            "Every function that was tried on every input is monotonic and symmetric where its "
            "exact function is.",
        .n_keys = 1};
    return fill_table(t, x, &columns, is_uneven, a);
}

/* ---- one row ---- */

/* Make the table of a row's largest errors: of each form the largest by its bound, then the worst input above and the one
 * below the exact value, with what the driver gave. 0: the arena is full. */
int audit_table_largest(struct report_table *t, const struct audit_row *row, struct arena *a)
{
    enum {
        N_WITHOUT_RESULTS = 3 /* columns: up to the bound */
    };
    static const enum audit_column list[] = {
        COLUMN_FORM,       COLUMN_STATE,      COLUMN_BOUND,         COLUMN_RATIO,
        COLUMN_ATTAINED,   COLUMN_OUTSIDE,    COLUMN_ABOVE_LONG,    COLUMN_ABOVE_AT_LONG,
        COLUMN_ABOVE_GAVE, COLUMN_BELOW_LONG, COLUMN_BELOW_AT_LONG, COLUMN_BELOW_GAVE,
        COLUMN_INPUTS,     COLUMN_FLUSHED,    COLUMN_UNDECIDED};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){.title = "By form: the largest error by its bound, and the largest "
                                        "errors above and below the exact value"};
    if (!audit_columns_begin(t, &columns, row->n_forms, a)) {
        return 0;
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        struct audit_entry const entry = {.row = row, .form = i};
        audit_columns_add(t, &columns, row->result[i].n > 0 ? columns.n : N_WITHOUT_RESULTS, &entry,
                          a);
    }
    return 1;
}

/* One wrong result of a form. */
struct example {
    uint32_t form;
    const char *what;
    const uint64_t *arg;
    uint64_t got;
    double error; /* 0: not measured */
};

/* The wrong results of a form that are kept, a kind after the other; returns how many. */
static uint32_t list_examples(const struct audit_row *row, uint32_t form, struct example *out)
{
    const struct sweep_result *const r = &row->result[form];
    uint32_t n = 0;
    for (uint64_t k = 0; k < r->n_broken && k < SWEEP_WORST; k++) {
        const struct sweep_worst *const w = &r->broken[k];
        out[n++] = (struct example){form, "outside the bound", w->arg, w->got, w->error};
    }
    for (uint64_t k = 0; k < r->n_special && k < SWEEP_WORST; k++) {
        out[n++] = (struct example){form, "special value", r->special_arg[k], r->special_got[k], 0};
    }
    for (uint64_t k = 0; k < r->n_zero_sign && k < SWEEP_WORST; k++) {
        out[n++] = (struct example){form, "sign of zero", r->zero_arg[k], r->zero_got[k], 0};
    }
    return n;
}

/* A line about one wrong result; returns the cell of its error. */
static struct report_cell *add_example(struct report_table *t, const struct audit_row *row,
                                       const char *form, const char *what, const uint64_t *arg,
                                       uint64_t got, struct arena *a)
{
    struct report_cell *cell = table_put_text(table_add_row(t), form);
    cell = table_put(cell, what, TONE_BAD);
    cell = table_put_text(cell, audit_args_text(a, row, arg, AUDIT_HEX_AND_DECIMAL));
    return table_put_text(cell, audit_enc_text(a, row->fmt, got, AUDIT_HEX_AND_DECIMAL));
}

/* Do two examples show the same: the same result for the same arguments? */
static bool is_same_example(const struct example *x, const struct example *y)
{
    return x->what == y->what && x->got == y->got &&
           memcmp(x->arg, y->arg, SWEEP_ARGS * sizeof *x->arg) == 0;
}

/* Add x to the `n` examples in `all`, unless the same one is there: a search may try an input several times, and several
 * forms may give the same result. Then the line of that one names the form too. Returns the number of examples. */
static uint32_t keep_example(struct report_table *t, const struct audit_row *row,
                             const struct example *x, struct example *all, uint32_t n,
                             struct arena *a)
{
    enum {
        ERROR_DIGITS = 7
    };
    const char *const form = row->form[x->form].name ? row->form[x->form].name : "";
    for (uint32_t i = 0; i < n; i++) {
        if (is_same_example(x, &all[i])) {
            struct report_cell *const forms = table_get_row(t, i);
            forms->text =
                all[i].form == x->form ? forms->text : arena_printf(a, "%s, %s", forms->text, form);
            all[i].form = x->form;
            return n;
        }
    }
    all[n] = *x;
    struct report_cell *const cell = add_example(t, row, form, x->what, x->arg, x->got, a);
    if (x->error > 0 || x->error < 0) {
        (void)table_put_text(cell, audit_error_text(a, x->error, ERROR_DIGITS));
    }
    return n + 1;
}

/* Make the table of a row's wrong results: of each form up to SWEEP_WORST of each of the three kinds, each input once. 0:
 * the arena is full. */
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
    uint32_t const n_most = row->n_forms * N_KINDS * SWEEP_WORST;
    struct example *const all = ARENA_NEW(a, struct example, n_most + 1);
    uint32_t n = 0;
    *t = (struct report_table){.title = "Wrong results, some of each kind and form"};
    if (!all || !table_begin(t, a, columns, ARRAY_N(columns), n_most)) {
        return 0;
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        struct example own[N_KINDS * SWEEP_WORST];
        uint32_t const n_own = list_examples(row, i, own);
        for (uint32_t k = 0; k < n_own; k++) {
            n = keep_example(t, row, &own[k], all, n, a);
        }
    }
    return 1;
}
