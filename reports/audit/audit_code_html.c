/* reports/audit/audit_code_html.c -- which bounds change the code that compilers make, as a page without any script. */
#include "reports/audit/audit_code_html.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_code_state.h"
#include "reports/model/fact_list.h"
#include "reports/model/figures.h"
#include "reports/model/table.h"
#include "reports/write/html.h"

enum {
    HTML_ARENA_BYTES = 512 << 20,
    MAX_BOUNDS = 64, /* of all rows together; one row has SWEEP_MAX_FORMS at most */
    N_KEYS = 2,      /* function and type, before the plain form */
    N_LEADING = N_KEYS + 1
};

/* ---- what is counted ---- */

/* Decorated forms by what they did. */
struct sums {
    uint64_t n_forms, n_state[CODE_STATE_N];
};

static struct sums sum_up(const struct audit *x)
{
    struct sums s = {.n_forms = 0};
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            if (x->rows[i].form[k].is_decorated) {
                s.n_forms++;
                s.n_state[audit_code_get_state(&x->rows[i], k)]++;
            }
        }
    }
    return s;
}

/* ---- the table of a target ---- */

/* The bounds that any row has, rising. */
struct bounds {
    uint32_t n;
    float ulp[MAX_BOUNDS];
};

static void add_bound(struct bounds *b, float ulp)
{
    uint32_t at = 0;
    while (at < b->n && b->ulp[at] < ulp) {
        at++;
    }
    if (b->n == MAX_BOUNDS || (at < b->n && b->ulp[at] <= ulp)) {
        return;
    }
    memmove(b->ulp + at + 1, b->ulp + at, (b->n - at) * sizeof *b->ulp);
    b->ulp[at] = ulp;
    b->n++;
}

static struct bounds collect_bounds(const struct audit *x)
{
    struct bounds b = {.n = 0};
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            if (x->rows[i].form[k].is_decorated) {
                add_bound(&b, x->rows[i].form[k].max_error);
            }
        }
    }
    return b;
}

/* "72 instructions", without what they are. */
static const char *count_text(const struct audit_form *form, struct arena *a)
{
    const char *const what = audit_code_get_what(form);
    return arena_printf(a, "%.*s", (int)strcspn(what, ","), what);
}

static void put_form(struct report_cell *cell, const struct audit_row *row, uint32_t k,
                     struct arena *a)
{
    static const enum report_tone tones[CODE_STATE_N] = {[CODE_NONE] = TONE_MUTED,
                                                         [CODE_AS_PLAIN] = TONE_MUTED,
                                                         [CODE_CHANGED] = TONE_GOOD,
                                                         [CODE_REFUSED] = TONE_INFO,
                                                         [CODE_UNLOADABLE] = TONE_BAD};
    enum audit_code_state const state = audit_code_get_state(row, k);
    const char *const text = state == CODE_CHANGED
                                 ? arena_printf(a, "changes (%s)", count_text(&row->form[k], a))
                                 : audit_code_states[state];
    (void)table_put(cell, text, tones[state]);
}

static void add_row(struct report_table *t, const struct bounds *b, const struct audit_row *row,
                    struct arena *a)
{
    const struct audit_form *const plain = &row->form[0];
    struct report_cell *const cell = table_add_row(t);
    (void)table_put_text(cell, func_rows[row->func].name);
    (void)table_put_text(cell + 1, float_formats[row->fmt].name);
    if (plain->is_refused) {
        put_form(cell + N_KEYS, row, 0, a);
    } else {
        (void)table_put_text(cell + N_KEYS, count_text(plain, a));
    }
    for (uint32_t k = 0; k < row->n_forms; k++) {
        for (uint32_t at = 0; at < b->n && row->form[k].is_decorated; at++) {
            if (!(b->ulp[at] < row->form[k].max_error) && !(b->ulp[at] > row->form[k].max_error)) {
                put_form(cell + N_LEADING + at, row, k, a);
            }
        }
    }
}

static bool make_table(struct report_table *t, const struct audit *x, struct arena *a)
{
    struct report_column columns[N_LEADING + MAX_BOUNDS] = {
        {"Function",   ALIGN_TEXT, 0},
        {"Type",       ALIGN_TEXT, 0},
        {"Plain code", ALIGN_TEXT, 0}
    };
    struct bounds const b = collect_bounds(x);
    for (uint32_t at = 0; at < b.n; at++) {
        columns[N_LEADING + at] =
            (struct report_column){arena_printf(a, "%.9g ulp", (double)b.ulp[at]), ALIGN_TEXT, 0};
    }
    *t = (struct report_table){.empty = "No function.", .n_keys = N_KEYS};
    if (!table_begin(t, a, columns, N_LEADING + b.n, x->n_rows)) {
        return false;
    }
    for (uint32_t i = 0; i < x->n_rows; i++) {
        add_row(t, &b, &x->rows[i], a);
    }
    return true;
}

/* How far two tables agree. */
enum likeness {
    TABLES_DIFFER,
    TABLES_ALIKE, /* but for the numbers of instructions */
    TABLES_SAME
};

/* Both texts are the same up to the first '(', after which the instructions are counted. */
static bool are_cells_alike(const char *s, const char *t)
{
    size_t const n = strcspn(s, "(");
    return n == strcspn(t, "(") && strncmp(s, t, n) == 0;
}

static enum likeness compare(const struct report_table *s, const struct report_table *t)
{
    enum likeness likeness = TABLES_SAME;
    if (s->n_columns != t->n_columns || s->n_rows != t->n_rows) {
        return TABLES_DIFFER;
    }
    for (uint32_t i = 0; i < s->n_columns; i++) {
        if (strcmp(s->columns[i].title, t->columns[i].title) != 0) {
            return TABLES_DIFFER;
        }
    }
    for (uint32_t i = 0; i < s->n_rows * s->n_columns; i++) {
        const char *const one = s->cells[i].text, *const other = t->cells[i].text;
        bool const is_count = i % s->n_columns == N_KEYS; /* of the plain form */
        if (!is_count && !are_cells_alike(one, other)) {
            return TABLES_DIFFER;
        }
        likeness = strcmp(one, other) == 0 ? likeness : TABLES_ALIKE;
    }
    return likeness;
}

/* ---- targets of the same table ---- */

/* Everything that the page shows: a table for each target, and whose table is the first of the same. */
struct code_page {
    const struct audit *x;
    uint32_t n;
    struct report_table *tables; /* [n] */
    uint32_t *first_of;          /* [n] */
};

static bool make_tables(struct code_page *c, struct arena *a)
{
    c->tables = ARENA_NEW(a, struct report_table, c->n);
    c->first_of = ARENA_NEW(a, uint32_t, c->n);
    for (uint32_t i = 0; i < c->n && c->tables && c->first_of; i++) {
        if (!make_table(&c->tables[i], &c->x[i], a)) {
            return false;
        }
        while (c->first_of[i] < i &&
               compare(&c->tables[c->first_of[i]], &c->tables[i]) != TABLES_SAME) {
            c->first_of[i]++;
        }
    }
    return c->tables && c->first_of;
}

/* "igc-bmg, igc-ptl": all targets of that table. */
static const char *join_targets(const struct code_page *c, uint32_t first, struct arena *a)
{
    const char *names = "";
    for (uint32_t i = first; i < c->n; i++) {
        if (c->first_of[i] == first) {
            names = arena_printf(a, "%s%s%s", names, names[0] ? ", " : "", c->x[i].target);
        }
    }
    return names;
}

/* Put each table that differs from those before it (c->first_of[i] == i) once, under the names of all its targets. */
static void put_tables(const struct page *p, const struct code_page *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const char *const id = arena_printf(p->a, "table-%" PRIu32, i + 1);
        if (c->first_of[i] != i) {
            continue;
        }
        struct sums const s = sum_up(&c->x[i]);
        (void)fprintf(p->f, "<h2 id=\"%s\">", id);
        html_put_text(p, join_targets(c, i, p->a), HTML_LINE_BYTES);
        (void)fprintf(
            p->f,
            "</h2>\n<p class=\"note\">%s of %s bounds change the code, %s are refused, of "
            "%s the code cannot be loaded.</p>\n",
            figures_count(p->a, s.n_state[CODE_CHANGED]), figures_count(p->a, s.n_forms),
            figures_count(p->a, s.n_state[CODE_REFUSED]),
            figures_count(p->a, s.n_state[CODE_UNLOADABLE]));
        /* Others are compared with the first table alone. */
        if (i > 0 && compare(&c->tables[0], &c->tables[i]) == TABLES_ALIKE) {
            html_put(p, "<p class=\"note\">The code is the same as on ");
            html_put_text(p, c->x[0].target, HTML_LINE_BYTES);
            html_put(p, ", except for the numbers of instructions.</p>\n");
        }
        if (c->x[i].was_stopped) {
            html_put(p, "<p>The audit was stopped before all rows were done.</p>\n");
        }
        if (c->tables[i].n_rows == 0) {
            html_put(p, "<p class=\"empty\">No function.</p>\n");
        } else {
            html_put_grid(p, &c->tables[i], id);
        }
    }
}

/* ---- what the compilers said ---- */

/* A refusal that no row before, of this target or an earlier one, has in the same words. */
static bool is_new_reason(const struct code_page *c, uint32_t target, uint32_t row, uint32_t form)
{
    const char *const said = c->x[target].rows[row].form[form].log;
    for (uint32_t t = 0; t <= target; t++) {
        for (uint32_t i = 0; i < c->x[t].n_rows; i++) {
            for (uint32_t k = 0; k < c->x[t].rows[i].n_forms; k++) {
                const struct audit_form *const f = &c->x[t].rows[i].form[k];
                if (t == target && i == row && k == form) {
                    return true;
                }
                if (f->is_refused && strcmp(f->log, said) == 0) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Put what compilers said of the forms that they refused, each wording once. */
static void put_reasons(const struct page *p, const struct code_page *c)
{
    bool is_any = false;
    html_put(p, "<h2 id=\"refused\">Refused</h2>\n");
    for (uint32_t t = 0; t < c->n; t++) {
        for (uint32_t i = 0; i < c->x[t].n_rows; i++) {
            const struct audit_row *const row = &c->x[t].rows[i];
            for (uint32_t k = 0; k < row->n_forms; k++) {
                if (!row->form[k].is_refused || !is_new_reason(c, t, i, k)) {
                    continue;
                }
                if (!is_any) {
                    html_put(p, "<p class=\"note\">The messages of the compilers. Each message is "
                                "shown once, with the first form that caused it.</p>\n");
                }
                is_any = true;
                html_put_block(p,
                               arena_printf(p->a, "%s: %s %s, %s", c->x[t].target,
                                            func_rows[row->func].name, float_formats[row->fmt].name,
                                            row->form[k].name),
                               row->form[k].log);
            }
        }
    }
    if (!is_any) {
        html_put(p, "<p class=\"empty\">None: every form was compiled.</p>\n");
    }
}

static void put_targets(const struct page *p, const struct code_page *c)
{
    html_put(p, "<h2 id=\"targets\">Targets</h2>\n");
    for (uint32_t i = 0; i < c->n; i++) {
        html_put_block(p, c->x[i].target, c->x[i].facts);
    }
}

/* ---- the page ---- */

/* The figures at the top: decorated forms of all targets by what they did to the code. */
static bool make_numbers(struct report_facts *out, const struct code_page *c, struct arena *a)
{
    struct sums all = {.n_forms = 0};
    struct fact_list b;
    for (uint32_t i = 0; i < c->n; i++) {
        struct sums const s = sum_up(&c->x[i]);
        all.n_forms += s.n_forms;
        for (int k = 0; k < CODE_STATE_N; k++) {
            all.n_state[k] += s.n_state[k];
        }
    }
    if (!fact_list_open(&b, a)) {
        return false;
    }
    const struct {
        const char *label;
        uint64_t n;
        enum report_tone tone;
    } rows[] = {
        {"targets",                    c->n,                         TONE_PLAIN},
        {"bounds tried",               all.n_forms,                  TONE_PLAIN},
        {"change the code",            all.n_state[CODE_CHANGED],    TONE_PLAIN},
        {"leave it as it is",          all.n_state[CODE_AS_PLAIN],   TONE_PLAIN},
        {"refused",                    all.n_state[CODE_REFUSED],    TONE_INFO },
        {"code that cannot be loaded", all.n_state[CODE_UNLOADABLE], TONE_BAD  }
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        fact_list_add(&b, rows[i].label, figures_count(a, rows[i].n), LOOK_TEXT,
                      rows[i].n ? rows[i].tone : TONE_PLAIN);
    }
    *out = fact_list_close(&b);
    return true;
}

static const char *make_headline(const struct code_page *c, const char *names, struct arena *a)
{
    uint64_t n_unloadable = 0, n_changed = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        struct sums const s = sum_up(&c->x[i]);
        n_unloadable += s.n_state[CODE_UNLOADABLE];
        n_changed += s.n_state[CODE_CHANGED];
    }
    return n_unloadable ? arena_printf(a, "Of %s bounds the code cannot be loaded on %s",
                                       figures_count(a, n_unloadable), names)
                        : arena_printf(a, "%s bounds change the code on %s",
                                       figures_count(a, n_changed), names);
}

/* Write the page: figures, a table for all targets of the same code each, what was refused and why, the targets. */
static enum res write_page(const struct audit *x, uint32_t n, struct arena *a, FILE *f,
                           struct err *e)
{
    struct page const p = {.a = a, .f = f};
    struct code_page c = {.x = x, .n = n};
    struct report_facts numbers;
    uint32_t n_tables = 0;
    if (!make_tables(&c, a) || !make_numbers(&numbers, &c, a)) {
        return err_set(e, RES_NOMEM, "code.html: no room for its tables");
    }
    const char *const names = n == 1 ? x->target : arena_printf(a, "%" PRIu32 " targets", n);
    struct page_head const head = {.what = "audit of code",
                                   .title = names,
                                   .headline = make_headline(&c, names, a),
                                   .numbers = &numbers};
    html_open_page(&p, &head);
    for (uint32_t i = 0; i < n; i++) {
        if (c.first_of[i] == i) {
            n_tables++; /* their names are foreign, and stand above the tables */
            html_put_section(&p, arena_printf(a, "table-%" PRIu32, i + 1),
                             arena_printf(a, "Table %" PRIu32, n_tables));
        }
    }
    html_put_section(&p, "refused", "Refused");
    html_put_section(&p, "targets", "Targets");
    html_open_main(&p);
    put_tables(&p, &c);
    put_reasons(&p, &c);
    put_targets(&p, &c);
    html_close_page(&p, &head,
                    "Each form was built in a module of its own, and nothing was run. The code of "
                    "two forms is the same if their disassemblies are identical. \"changes\" gives "
                    "the number of instructions of different code.");
    return RES_OK;
}

enum res audit_code_write_html(const struct audit *x, uint32_t n, const char *path, struct err *e)
{
    struct file_writer w;
    struct arena a;
    TRY(file_begin(&w, path, e));
    arena_init(&a, HTML_ARENA_BYTES);
    enum res const r = write_page(x, n, &a, w.f, e);
    arena_free(&a);
    return file_end(&w, r, e);
}
