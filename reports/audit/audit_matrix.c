/* reports/audit/audit_matrix.c -- several audits in one table: functions by line, targets and versions by column. */
#include "reports/audit/audit_matrix.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_csv.h"
#include "reports/audit/audit_latex.h"
#include "reports/audit/audit_lines.h"
#include "reports/audit/audit_report.h"
#include "reports/audit/audit_view.h"
#include "reports/model/fact_list.h"
#include "reports/model/figures.h"
#include "reports/model/table.h"
#include "reports/write/html.h"
#include "reports/write/report_put.h"

enum {
    MATRIX_ARENA_BYTES = 256 << 20
};

/* ---- lines ---- */

static bool are_alike(const struct audit_entry *p, const struct audit_entry *q)
{
    return p->row && p->row->func == q->row->func && p->row->fmt == q->row->fmt &&
           strcmp(audit_name_form(p), audit_name_form(q)) == 0;
}

const struct audit_entry *audit_matrix_name(const struct audit_matrix *m, uint32_t line)
{
    const struct audit_entry *const entries = &m->entry[(size_t)line * m->n];
    uint32_t i = 0;
    while (i + 1 < m->n && !entries[i].row) {
        i++;
    }
    return &entries[i];
}

static struct audit_entry *find_line(struct audit_matrix *m, const struct audit_entry *of)
{
    for (uint32_t i = 0; i < m->n_lines; i++) {
        if (are_alike(audit_matrix_name(m, i), of)) {
            return &m->entry[(size_t)i * m->n];
        }
    }
    return &m->entry[(size_t)m->n_lines++ * m->n];
}

static void add_rows(struct audit_matrix *m, enum func_id func, enum fmt_id fmt)
{
    for (uint32_t i = 0; i < m->n; i++) {
        for (uint32_t k = 0; k < m->x[i].n_rows; k++) {
            const struct audit_row *const row = &m->x[i].rows[k];
            for (uint32_t form = 0; row->func == func && row->fmt == fmt && form < row->n_forms;
                 form++) {
                struct audit_entry const entry = {&m->x[i], row, form, k};
                find_line(m, &entry)[i] = entry;
            }
        }
    }
}

int audit_matrix_make(struct audit_matrix *m, const struct audit *x, uint32_t n, struct arena *a)
{
    size_t n_forms = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < x[i].n_rows; k++) {
            n_forms += x[i].rows[k].n_forms;
        }
    }
    *m = (struct audit_matrix){
        .x = x, .n = n, .entry = ARENA_NEW(a, struct audit_entry, n_forms * n)};
    for (int i = 0; m->entry && i < FUNC_N * FMT_N; i++) {
        add_rows(m, (enum func_id)(i / FMT_N), (enum fmt_id)(i % FMT_N));
    }
    return m->entry != NULL;
}

/* ---- a cell ---- */

static bool has_results(enum audit_state state)
{
    return state != AUDIT_EMPTY && state != AUDIT_REFUSED;
}

/* "0.21", "1772 ulp" where there is no bound to divide by, "" where there is no error. */
static const char *figure_text(const struct audit_entry *p, struct arena *a)
{
    const struct audit_case *const c = &p->row->found[p->form];
    double const error = fabs(c->worst.error);
    if (!has_results(audit_get_state(p->row, p->form))) {
        return "";
    }
    if (c->ratio >= 100 && c->ratio < 1e6) {
        return arena_printf(a, "%.0f", c->ratio);
    }
    if (c->ratio > 0) {
        return audit_figure_text(a, c->ratio, 3);
    }
    return error > 0 ? arena_printf(a, "%.4g ulp", error) : "";
}

static const char *state_text(const struct audit_entry *p)
{
    return audit_states[audit_get_state(p->row, p->form)].word;
}

static bool is_wrong(const struct audit_entry *p)
{
    return audit_is_certainly_wrong(p->row, p->form);
}

/* Has it a largest error that is not wrong? */
static bool is_attained(const struct audit_entry *p)
{
    const struct audit_case *const c = &p->row->found[p->form];
    return c->kind == AUDIT_CASE_LARGEST && fabs(c->worst.error) > 0;
}

/* Calls `put` for each form that `is_one` is true of. */
static void for_forms(const struct audit_matrix *m, bool (*is_one)(const struct audit_entry *p),
                      void (*put)(void *to, const struct audit *x, const struct audit_entry *p),
                      void *to)
{
    for (uint32_t line = 0; line < m->n_lines; line++) {
        for (uint32_t i = 0; i < m->n; i++) {
            const struct audit_entry *const p = &m->entry[(size_t)line * m->n + i];
            if (p->row && is_one(p)) {
                put(to, &m->x[i], p);
            }
        }
    }
}

static void count_one(void *to, const struct audit *x, const struct audit_entry *p)
{
    (void)x, (void)p;
    (*(uint32_t *)to)++;
}

static uint32_t count_forms(const struct audit_matrix *m,
                            bool (*is_one)(const struct audit_entry *p))
{
    uint32_t n = 0;
    for_forms(m, is_one, count_one, &n);
    return n;
}

#define NOTE                                                                                       \
    "The largest error as a multiple of the bound (or, without a bound, in ulps), and the result " \
    "of the form."
#define LEGEND "\"-\": the target does not have the form. A form without a bound cannot be broken."
static const char attained_title[] = "Where error / bound is attained";

/* ---- text ---- */

enum {
    COLUMNS_OF_NAME = 26,
    COLUMNS_OF_FIGURE = 10,
    COLUMNS_OF_STATE = 10
};

struct printed {
    FILE *f;
    struct arena *a;
};

static void print_wrong(void *to, const struct audit *x, const struct audit_entry *p)
{
    const struct printed *const out = to;
    (void)fputs("\n  ", out->f);
    report_put_text(REPORT_TEXT, audit_name_line(p, out->a), out->f);
    (void)fputs(" on ", out->f);
    report_put_text(REPORT_TEXT, x->target, out->f);
    (void)fprintf(out->f, ": %s\n", state_text(p));
    audit_put_violation(p->row, &p->row->found[p->form], out->a, out->f);
}

static void print_attained(void *to, const struct audit *x, const struct audit_entry *p)
{
    const struct printed *const out = to;
    const char *const ratio = audit_figure_text(out->a, p->row->found[p->form].ratio, 3);
    (void)fputs("  ", out->f);
    report_put_text(REPORT_TEXT, audit_name_line(p, out->a), out->f);
    (void)fputs(" on ", out->f);
    report_put_text(REPORT_TEXT, x->target, out->f);
    (void)fprintf(out->f, ": %s%s%s\n", ratio, ratio[0] ? ": " : "",
                  audit_attained_text(out->a, p->row, p->form));
}

/* A line of names or versions above the table. */
static void print_head(const struct audit_matrix *m, bool is_version, struct arena *a, FILE *f)
{
    audit_lines_put("", COLUMNS_OF_NAME, LINES_LEFT, f);
    for (uint32_t i = 0; i < m->n; i++) {
        const char *const target = m->x[i].target ? m->x[i].target : "";
        (void)fputs("  ", f);
        audit_lines_put(is_version ? audit_get_version(&m->x[i], a) : target,
                        COLUMNS_OF_FIGURE + 1 + COLUMNS_OF_STATE,
                        i + 1 < m->n ? LINES_LEFT : LINES_LAST, f);
    }
    (void)fputc('\n', f);
}

static void print_line(const struct audit_matrix *m, uint32_t line, struct arena *a, FILE *f)
{
    const struct audit_entry *const name = audit_matrix_name(m, line);
    audit_lines_put(audit_name_line(name, a), COLUMNS_OF_NAME, LINES_LEFT, f);
    for (uint32_t i = 0; i < m->n; i++) {
        const struct audit_entry *const p = &m->entry[(size_t)line * m->n + i];
        (void)fputs("  ", f);
        audit_lines_put(p->row ? figure_text(p, a) : "", COLUMNS_OF_FIGURE, LINES_LEFT, f);
        (void)fputc(' ', f);
        audit_lines_put(p->row ? state_text(p) : "-", COLUMNS_OF_STATE,
                        i + 1 < m->n ? LINES_LEFT : LINES_LAST, f);
    }
    (void)fputc('\n', f);
}

void audit_matrix_print(const struct audit_matrix *m, FILE *f)
{
    struct arena a;
    arena_init(&a, MATRIX_ARENA_BYTES);
    struct printed out = {f, &a};
    print_head(m, false, &a, f);
    print_head(m, true, &a, f);
    for (uint32_t i = 0; i < m->n_lines; i++) {
        print_line(m, i, &a, f);
    }
    (void)fputs("\n" NOTE "\n" LEGEND "\n", f);
    if (count_forms(m, is_attained) > 0) {
        (void)fprintf(f, "\n%s:\n", attained_title);
        for_forms(m, is_attained, print_attained, &out);
    }
    for_forms(m, is_wrong, print_wrong, &out);
    arena_free(&a);
}

/* ---- page ---- */

static const char *make_cell(const struct audit_entry *p, struct arena *a)
{
    const char *const figure = figure_text(p, a);
    const char *const badge = audit_states[audit_get_state(p->row, p->form)].badge;
    return figure[0] ? arena_printf(a, "%s %s", figure, badge) : badge;
}

/* Make the table of the matrix: a line for each form of a function on a type, a column for each audit, "-" where
 * that has no such form. A single column names function, type and form, so that a narrow screen still shows a target
 * beside it. 0: the arena is full. */
static int make_table(const struct audit_matrix *m, struct report_table *t, struct arena *a)
{
    *t = (struct report_table){.id = "table",
                               .title = "Error / bound",
                               .note = NOTE " " LEGEND,
                               .empty = "Nothing was audited.",
                               .n_keys = 1};
    if (!table_open(t, a, 1 + m->n, m->n_lines)) {
        return 0;
    }
    t->columns[0] = (struct report_column){"Form", ALIGN_TEXT, 0};
    for (uint32_t i = 0; i < m->n; i++) {
        const char *const target = m->x[i].target ? m->x[i].target : "";
        t->columns[1 + i] = (struct report_column){target, ALIGN_TEXT, 0};
    }
    for (uint32_t line = 0; line < m->n_lines; line++) {
        const struct audit_entry *const name = audit_matrix_name(m, line);
        struct report_cell *cell = table_put_text(table_get_row(t, line), audit_name_line(name, a));
        for (uint32_t i = 0; i < m->n; i++) {
            const struct audit_entry *const p = &m->entry[(size_t)line * m->n + i];
            cell = p->row ? table_put(cell, make_cell(p, a),
                                      audit_states[audit_get_state(p->row, p->form)].tone)
                          : table_put(cell, "-", TONE_MUTED);
        }
    }
    return 1;
}

/* A table of some of the forms, a line each. */
struct form_table {
    struct report_table *t;
    const struct audit_columns *columns;
    struct arena *a;
};

static void add_form(void *to, const struct audit *x, const struct audit_entry *p)
{
    const struct form_table *const w = to;
    (void)x;
    audit_columns_add(w->t, w->columns, w->columns->n, p, w->a);
}

/* Fill *t, whose words are there, with the forms that `is_one` is true of. */
static int fill_table(const struct audit_matrix *m, struct report_table *t,
                      const struct audit_columns *columns,
                      bool (*is_one)(const struct audit_entry *p), struct arena *a)
{
    struct form_table w = {t, columns, a};
    if (!audit_columns_begin(t, columns, count_forms(m, is_one), a)) {
        return 0;
    }
    for_forms(m, is_one, add_form, &w);
    return 1;
}

static int make_wrong(const struct audit_matrix *m, struct report_table *t, struct arena *a)
{
    static const enum audit_column list[] = {
        COLUMN_LINE,  COLUMN_TARGET,        COLUMN_AT,          COLUMN_GAVE,
        COLUMN_EXACT, COLUMN_ERROR_OF_LINE, COLUMN_WRONG_BOUND, COLUMN_WRONG_RATIO};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){.id = "wrong",
                               .title = "Wrong results",
                               .note = "The worst result of each form on each target. Exact values "
                                       "are correctly rounded to the "
                                       "digits shown.",
                               .empty = "None.",
                               .n_keys = 2};
    return fill_table(m, t, &columns, is_wrong, a);
}

static int make_attained(const struct audit_matrix *m, struct report_table *t, struct arena *a)
{
    static const enum audit_column list[] = {
        COLUMN_LINE,           COLUMN_TARGET, COLUMN_RATIO, COLUMN_ATTAINED_ERROR,
        COLUMN_ATTAINED_BOUND, COLUMN_AT,     COLUMN_GAVE};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){
        .id = "attained",
        .title = attained_title,
        .note = "For each form without a wrong result: the input with the largest error / bound "
                "or, without a bound, with the largest error.",
        .empty = "Nowhere.",
        .n_keys = 2};
    return fill_table(m, t, &columns, is_attained, a);
}

static bool is_own(const struct audit_entry *p)
{
    return audit_has_own_result(p->row, p->form);
}

static bool is_modelled(const struct audit_entry *p)
{
    return audit_has_modelled_result(p->row, p->form);
}

static int make_own(const struct audit_matrix *m, struct report_table *t, struct arena *a)
{
    static const enum audit_column list[] = {
        COLUMN_LINE,  COLUMN_TARGET, COLUMN_STATE,      COLUMN_LARGEST,         COLUMN_LARGEST_AT,
        COLUMN_BOUND, COLUMN_VULKAN, COLUMN_DOCUMENTED, COLUMN_DOCUMENTED_STATE};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){.id = "own",
                               .title = "Math libraries: their own results",
                               .note = "Functions without hardware instructions.",
                               .empty = "None.",
                               .n_keys = 2};
    return fill_table(m, t, &columns, is_own, a);
}

static int make_modelled(const struct audit_matrix *m, struct report_table *t, struct arena *a)
{
    static const enum audit_column list[] = {
        COLUMN_LINE,    COLUMN_TARGET,     COLUMN_OPERATIONS, COLUMN_STATE,
        COLUMN_LARGEST, COLUMN_LARGEST_AT, COLUMN_ERRS,       COLUMN_ERRS_AT,
        COLUMN_BOUND,   COLUMN_VULKAN,     COLUMN_DOCUMENTED, COLUMN_DOCUMENTED_STATE};
    static const struct audit_columns columns = {list, ARRAY_N(list)};
    *t = (struct report_table){
        .id = "modelled",
        .title = "Math libraries: results that depend on the hardware",
        .note = "State and largest error if the hardware instructions round correctly; at "
                "least the second number if they err within their documented bounds.",
        .empty = "None.",
        .n_keys = 2};
    return fill_table(m, t, &columns, is_modelled, a);
}

/* Make the table of targets: version, start and forms by what they came to. 0: the arena is full. */
static int make_targets(const struct audit_matrix *m, struct report_table *t, struct arena *a)
{
    static const struct report_column columns[] = {
        {"Target",              ALIGN_TEXT,   0},
        {"Driver",              ALIGN_WORDS,  0},
        {"Started",             ALIGN_TEXT,   0},
        {"Kept",                ALIGN_NUMBER, 0},
        {"None found",          ALIGN_NUMBER, 0},
        {"Wrong",               ALIGN_NUMBER, 0},
        {"Incomplete, not run", ALIGN_NUMBER, 0},
        {"Refused",             ALIGN_NUMBER, 0}
    };
    *t = (struct report_table){
        .id = "targets", .title = "Targets", .note = "", .empty = "None.", .n_keys = 1};
    if (!table_begin(t, a, columns, ARRAY_N(columns), m->n)) {
        return 0;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        const struct audit *const x = &m->x[i];
        struct audit_sum const s = audit_get_sum(x);
        struct report_cell *cell = table_put_text(table_add_row(t), x->target ? x->target : "");
        cell = table_put_text(cell, audit_get_version(x, a));
        cell = table_put_text(cell, x->started ? x->started : "");
        cell = table_put_count(cell, s.n_state[AUDIT_KEPT], a);
        cell = table_put_count(cell, s.n_state[AUDIT_NONE_FOUND], a);
        cell = table_put_noted(cell, s.n_state[AUDIT_BROKEN] + s.n_state[AUDIT_WRONG], TONE_BAD, a);
        cell = table_put_count(cell, s.n_state[AUDIT_INCOMPLETE] + s.n_state[AUDIT_EMPTY], a);
        (void)table_put_count(cell, s.n_state[AUDIT_REFUSED], a);
    }
    return 1;
}

/* The figures at the top: the number of forms in each state, over all audits. Every state but "kept" has its colour
 * where its number is not 0. 0: the arena is full. */
static int make_numbers(const struct audit_matrix *m, struct report_facts *out, struct arena *a)
{
    static const struct {
        enum audit_state state;
        const char *label;
    } rows[] = {
        {AUDIT_BROKEN,      "bounds broken"                               },
        {AUDIT_WRONG,       "wrong values"                                },
        {AUDIT_WRONG_IF,    "wrong if the hardware rounds correctly"      },
        {AUDIT_COULD_BREAK, "may break if the hardware errs"              },
        {AUDIT_KEPT_IF,     "bounds kept if the hardware rounds correctly"},
        {AUDIT_KEPT,        "bounds kept (every argument tried)"          },
        {AUDIT_NONE_FOUND,  "no violation found (by search)"              },
        {AUDIT_INCOMPLETE,  "incomplete"                                  },
        {AUDIT_EMPTY,       "not run"                                     },
        {AUDIT_REFUSED,     "refused"                                     }
    };
    struct fact_list b;
    if (!fact_list_open(&b, a)) {
        return 0;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        uint64_t n = 0;
        for (uint32_t k = 0; k < m->n; k++) {
            n += audit_get_sum(&m->x[k]).n_state[rows[i].state];
        }
        bool const is_noted =
            n > 0 && rows[i].state != AUDIT_KEPT && rows[i].state != AUDIT_NONE_FOUND;
        fact_list_add(&b, rows[i].label, figures_count(a, n), LOOK_TEXT,
                      is_noted ? audit_states[rows[i].state].tone : TONE_PLAIN);
    }
    *out = fact_list_close(&b);
    return 1;
}

static const char *make_headline(const struct audit_matrix *m, struct arena *a)
{
    struct audit_sum all = {.n_forms = 0};
    uint32_t n_missing = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        struct audit_sum const s = audit_get_sum(&m->x[i]);
        all.n_state[AUDIT_KEPT] += s.n_state[AUDIT_KEPT];
        all.n_state[AUDIT_NONE_FOUND] += s.n_state[AUDIT_NONE_FOUND];
        all.n_state[AUDIT_KEPT_IF] += s.n_state[AUDIT_KEPT_IF];
        all.n_state[AUDIT_WRONG_IF] += s.n_state[AUDIT_WRONG_IF];
        n_missing += s.n_state[AUDIT_INCOMPLETE] + s.n_state[AUDIT_EMPTY] + s.n_unfinished > 0;
    }
    uint32_t const n_wrong = count_forms(m, is_wrong);
    if (n_wrong > 0) {
        return arena_printf(a, "%" PRIu32 " form%s wrong in %" PRIu32 " audits", n_wrong,
                            n_wrong == 1 ? " is" : "s are", m->n);
    }
    uint64_t const n_if = all.n_state[AUDIT_WRONG_IF];
    if (n_if > 0) {
        return arena_printf(
            a, "%" PRIu64 " form%s wrong in %" PRIu32 " audits if the hardware rounds correctly",
            n_if, n_if == 1 ? " is" : "s are", m->n);
    }
    return n_missing
               ? arena_printf(a, "Incomplete: nothing wrong so far in %" PRIu32 " audits", m->n)
               : arena_printf(a, "%s in %" PRIu32 " audits", audit_describe_kept(&all, a), m->n);
}

/* Put the page: wrong results first, then the matrix, where bounds are attained, and the targets. */
static enum res put_page(const struct audit_matrix *m, struct arena *a, FILE *f, struct err *e)
{
    struct page const p = {.a = a, .f = f};
    struct report_table table, own, modelled, attained, wrong, targets;
    struct report_facts numbers;
    if (!make_numbers(m, &numbers, a) || !make_table(m, &table, a) || !make_wrong(m, &wrong, a) ||
        !make_own(m, &own, a) || !make_modelled(m, &modelled, a) ||
        !make_attained(m, &attained, a) || !make_targets(m, &targets, a)) {
        return err_set(e, RES_NOMEM, "table.html: no room for its tables");
    }
    const struct report_table *const all[] = {&wrong, &table, &own, &modelled, &attained, &targets};
    const struct report_table *tables[ARRAY_N(all)];
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_N(all); i++) {
        bool const is_of_library = all[i] == &own || all[i] == &modelled;
        if (!is_of_library || all[i]->n_rows > 0) {
            tables[n++] = all[i];
        }
    }
    struct page_head const head = {.what = "audits",
                                   .title = arena_printf(a, "%" PRIu32 " audits", m->n),
                                   .headline = make_headline(m, a),
                                   .numbers = &numbers};
    html_open_page(&p, &head);
    for (size_t i = 0; i < n; i++) {
        html_put_section(&p, tables[i]->id, tables[i]->title);
    }
    html_open_main(&p);
    for (size_t i = 0; i < n; i++) {
        html_put_table(&p, tables[i]);
    }
    html_close_page(&p, &head,
                    "An incomplete form has no wrong result so far, but not every input was tried "
                    "and decided. Therefore it may still break its bound.");
    return RES_OK;
}

/* ---- LaTeX, CSV ---- */

/* Put the matrix as a table of LaTeX, figure and state in two columns for each audit, then the tables of where
 * bounds are attained and of wrong results. Nothing here can fail; `e` is there since put_page, its sibling, needs
 * one. */
static enum res put_latex(const struct audit_matrix *m, struct arena *a, FILE *f, struct err *e)
{
    (void)e;
    audit_put_latex_head(m->x, m->n, f);
    (void)fputs("\\setlength{\\tabcolsep}{4pt}%\n", f);
    (void)fprintf(
        f, "\\begin{longtable}[l]{lll*{%" PRIu32 "}{rl}}\n\\toprule\nFunction & Type & Form", m->n);
    for (uint32_t i = 0; i < m->n; i++) {
        (void)fputs(" & \\multicolumn{2}{l}{", f);
        audit_put_latex_text(m->x[i].target, f);
        (void)fputs("}", f);
    }
    (void)fputs(" \\\\\n & &", f);
    for (uint32_t i = 0; i < m->n; i++) {
        (void)fputs(" & \\multicolumn{2}{p{25mm}}{\\tiny\\raggedright ", f);
        audit_put_latex_text(audit_get_version(&m->x[i], a), f);
        (void)fputs("}", f);
    }
    (void)fputs(" \\\\\n\\midrule\n\\endhead\n", f);
    for (uint32_t line = 0; line < m->n_lines; line++) {
        const struct audit_entry *const name = audit_matrix_name(m, line);
        (void)fprintf(f, "%s & %s & ", func_rows[name->row->func].name,
                      float_formats[name->row->fmt].name);
        audit_put_latex_text(audit_name_form(name), f);
        for (uint32_t i = 0; i < m->n; i++) {
            const struct audit_entry *const p = &m->entry[(size_t)line * m->n + i];
            (void)fprintf(f, " & %s & %s", p->row ? figure_text(p, a) : "--",
                          p->row ? state_text(p) : "");
        }
        (void)fputs(" \\\\\n", f);
    }
    (void)fputs("\\bottomrule\n\\end{longtable}\n", f);
    audit_put_latex_libraries(m->x, m->n, a, f);
    audit_put_latex_attained(m->x, m->n, a, f);
    audit_put_latex_violations(m->x, m->n, a, f);
    (void)fputs("\\par}\n", f);
    return RES_OK;
}

static enum res put_csv(const struct audit_matrix *m, struct arena *a, FILE *f, struct err *e)
{
    (void)e;
    audit_put_csv_head(f);
    for (uint32_t i = 0; i < m->n; i++) {
        audit_put_csv_lines(&m->x[i], a, f);
    }
    return RES_OK;
}

/* ---- files ---- */

const char *const audit_matrix_files[] = {"table.html", "table.csv", "table.tex", NULL};

enum res audit_matrix_write(const struct audit_matrix *m, const char *folder, struct err *e)
{
    static enum res (*const put[])(const struct audit_matrix *m, struct arena *a, FILE *f,
                                   struct err *e) = {put_page, put_csv, put_latex};
    for (size_t i = 0; i < ARRAY_N(put); i++) {
        struct file_writer w;
        struct arena a;
        arena_init(&a, MATRIX_ARENA_BYTES);
        enum res r = file_begin(&w, arena_printf(&a, "%s/%s", folder, audit_matrix_files[i]), e);
        if (r == RES_OK) {
            r = file_end(&w, put[i](m, &a, w.f, e), e);
        }
        arena_free(&a);
        TRY(r);
    }
    return RES_OK;
}
