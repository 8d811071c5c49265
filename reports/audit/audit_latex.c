/* reports/audit/audit_latex.c -- an audit as a table for LaTeX, with booktabs. */
#include "reports/audit/audit_latex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "reports/audit/audit_column.h"
#include "reports/audit/audit_view.h"

/* The TeX command for a character that TeX would act upon or would print as another one: some fonts have other signs
 * in the place of < > | " ` ', and two - become a dash. NULL: the character stands for itself. */
static const char *get_escape(char c)
{
    static const struct {
        char c;
        const char *latex;
    } escapes[] = {
        {'\\', "\\textbackslash{}"  },
        {'{',  "\\{"                },
        {'}',  "\\}"                },
        {'$',  "\\$"                },
        {'&',  "\\&"                },
        {'#',  "\\#"                },
        {'_',  "\\_"                },
        {'%',  "\\%"                },
        {'~',  "\\textasciitilde{}" },
        {'^',  "\\textasciicircum{}"},
        {'<',  "\\textless{}"       },
        {'>',  "\\textgreater{}"    },
        {'|',  "\\textbar{}"        },
        {'"',  "\\textquotedbl{}"   },
        {'`',  "\\textasciigrave{}" },
        {'\'', "\\textquotesingle{}"},
        {'-',  "{-}"                },
    };
    for (size_t i = 0; i < ARRAY_N(escapes); i++) {
        if (escapes[i].c == c) {
            return escapes[i].latex;
        }
    }
    return NULL;
}

void audit_put_latex_text(const char *text, FILE *f)
{
    for (const char *p = text ? text : ""; *p;) {
        char printed[PRINTABLE_BYTES];
        p += printable_take_char(p, printed);
        bool const is_ascii = (unsigned char)printed[0] < 0x80;
        for (const char *c = is_ascii ? printed : "?"; *c; c++) {
            const char *const escape = get_escape(*c);
            if (escape) {
                (void)fputs(escape, f);
            } else {
                (void)fputc(*c, f);
            }
        }
    }
}

void audit_put_latex_number(double x, FILE *f)
{
    char text[32];
    if (!isfinite(x)) {
        (void)fputs(x > 0 ? "$\\infty$" : x < 0 ? "$-\\infty$" : "NaN", f);
        return;
    }
    (void)snprintf(text, sizeof text, "%.5g", x);
    char *const exponent = strchr(text, 'e');
    if (!exponent) {
        (void)fprintf(f, "$%s$", text);
        return;
    }
    *exponent = '\0';
    (void)fprintf(f, "$%s\\cdot10^{%ld}$", text, strtol(exponent + 1, NULL, 10));
}

/* ---- cells: put_KIND for the kinds of audit_columns.def ---- */

/* Where a cell goes and what it is about. */
struct cell {
    const struct audit_entry *entry;
    struct arena *a;
    FILE *f;
};

static void put_text(const struct cell *to, const char *text)
{
    audit_put_latex_text(text, to->f);
}

/* A word that TeX takes as it is. */
static void put_word(const struct cell *to, const char *word)
{
    (void)fputs(word, to->f);
}

static void put_number(const struct cell *to, bool is_given, double x)
{
    if (is_given) {
        audit_put_latex_number(x, to->f);
    } else {
        put_word(to, "--");
    }
}

/* 0 is none. */
static void put_figure(const struct cell *to, double x)
{
    put_number(to, x > 0, x);
}

static void put_code(const struct cell *to, const char *code)
{
    (void)fprintf(to->f, "{\\tiny\\texttt{%s}}", code);
}

static void put_bound(const struct cell *to, const struct audit_bound *b)
{
    if (!b->has_bound || b->bound.anything) {
        put_word(to, "--");
    } else if (audit_has_formula(b)) {
        put_text(to, audit_bound_text(to->a, b));
    } else if (b->bound.absolute > 0) {
        if (b->bound.ulp > 0) {
            audit_put_latex_number(b->bound.ulp, to->f);
            put_word(to, " or ");
        }
        put_word(to, "$\\pm$");
        audit_put_latex_number(b->bound.absolute, to->f);
    } else if (b->bound.ulp > 0) {
        audit_put_latex_number(b->bound.ulp, to->f);
    } else {
        put_word(to, "CR");
    }
}

/* Arguments in hex, one above the other. */
static void put_stack(const struct cell *to, const uint64_t *arg)
{
    const char *text = audit_args_text(to->a, to->entry->row, arg, AUDIT_HEX);
    put_word(to, "\\shortstack[l]{");
    for (size_t n = 0; *text; text += n + (text[n] == ',' ? 2 : 0)) {
        n = strcspn(text, ",");
        (void)fprintf(to->f, "\\tiny\\texttt{%.*s}%s", (int)n, text, text[n] ? "\\\\" : "");
    }
    put_word(to, "}");
}

/* Where the error on one side is the largest; an error of 0 is nowhere. */
static void put_side(const struct cell *to, const struct sweep_worst *w)
{
    if (w->error > 0 || w->error < 0) {
        put_stack(to, w->arg);
    } else {
        put_word(to, "--");
    }
}

enum latex_column {
#define LATEX(id, title, kind, ...) LATEX_##id,
#include "reports/audit/audit_columns.def"
    LATEX_N
};
static const char *const titles[LATEX_N] = {
#define LATEX(id, title, kind, ...) title,
#include "reports/audit/audit_columns.def"
};

static void put_cell(const struct cell *to, enum latex_column column)
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
#define LATEX(id, title, kind, ...)                                                                \
    case LATEX_##id:                                                                               \
        put_##kind(to, __VA_ARGS__);                                                               \
        break;
#include "reports/audit/audit_columns.def"
    case LATEX_N:
        break;
    }
}

/* ---- tables ---- */

/* A table with a line for each form that `has` says so of. */
struct latex_table {
    const char *alignment;
    const enum latex_column *columns;
    uint32_t n;
    uint32_t first_result,
        end_of_results; /* "--" from the one to before the other, of a form that has no results */
    bool (*has)(const struct audit_entry *p, struct arena *a);
    bool is_always; /* also without a line, and the functions apart */
};

static void put_head(const struct latex_table *t, FILE *f)
{
    (void)fprintf(f, "\\begin{longtable}[l]{%s}\n\\toprule\n", t->alignment);
    for (uint32_t i = 0; i < t->n; i++) {
        (void)fprintf(f, "%s%s", i ? " & " : "", titles[t->columns[i]]);
    }
    (void)fprintf(f, "%s\\\\\n\\midrule\n\\endhead\n", titles[t->columns[t->n - 1]][0] ? " " : "");
}

static void put_line(const struct latex_table *t, const struct cell *to)
{
    enum audit_state const state = audit_get_state(to->entry->row, to->entry->form);
    bool const is_run = state != AUDIT_REFUSED && state != AUDIT_EMPTY;
    for (uint32_t i = 0; i < t->n; i++) {
        put_word(to, i ? " & " : "");
        if (!is_run && i >= t->first_result && i < t->end_of_results) {
            put_word(to, "--");
        } else {
            put_cell(to, t->columns[i]);
        }
    }
    put_word(to, " \\\\\n");
}

/* Put a table with a line for each form of n audits that it is for (t->has). Its head is put before the first line,
 * so that a table without lines is left out as a whole. A table that is_always has its head in any case, and a gap
 * between functions. */
static void put_table(const struct latex_table *t, const struct audit *x, uint32_t n,
                      struct arena *a, FILE *f)
{
    bool is_begun = t->is_always;
    if (is_begun) {
        put_head(t, f);
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < x[k].n_rows; i++) {
            bool const is_new = i > 0 && x[k].rows[i].func != x[k].rows[i - 1].func;
            (void)fputs(t->is_always && is_new ? "\\addlinespace\n" : "", f);
            for (uint32_t form = 0; form < x[k].rows[i].n_forms; form++) {
                /* audit, row, form, and the row's index */
                struct audit_entry const entry = {&x[k], &x[k].rows[i], form, i};
                if (!t->has(&entry, a)) {
                    continue;
                }
                if (!is_begun) {
                    (void)fputc('\n', f);
                    put_head(t, f);
                }
                is_begun = true;
                put_line(t, &(struct cell){&entry, a, f});
            }
        }
    }
    (void)fputs(is_begun ? "\\bottomrule\n\\end{longtable}\n" : "", f);
}

static bool is_any(const struct audit_entry *p, struct arena *a)
{
    (void)p, (void)a;
    return true;
}

static bool is_wrong(const struct audit_entry *p, struct arena *a)
{
    (void)a;
    return audit_is_certainly_wrong(p->row, p->form);
}

static bool is_own(const struct audit_entry *p, struct arena *a)
{
    (void)a;
    return audit_has_own_result(p->row, p->form);
}

static bool is_modelled(const struct audit_entry *p, struct arena *a)
{
    (void)a;
    return audit_has_modelled_result(p->row, p->form);
}

static bool is_attained(const struct audit_entry *p, struct arena *a)
{
    return audit_attained_text(a, p->row, p->form)[0] != '\0';
}

void audit_put_latex_violations(const struct audit *x, uint32_t n, struct arena *a, FILE *f)
{
    static const enum latex_column columns[] = {
        LATEX_TARGET, LATEX_FUNCTION_TYPE, LATEX_FORM,        LATEX_AT,   LATEX_GAVE,
        LATEX_EXACT,  LATEX_WRONG_ERROR,   LATEX_BOUND_THERE, LATEX_RATIO};
    static const struct latex_table table = {
        .alignment = "llllllrrr", .columns = columns, .n = ARRAY_N(columns), .has = is_wrong};
    put_table(&table, x, n, a, f);
}

void audit_put_latex_attained(const struct audit *x, uint32_t n, struct arena *a, FILE *f)
{
    static const enum latex_column columns[] = {
        LATEX_TARGET, LATEX_FUNCTION_TYPE,  LATEX_FORM,       LATEX_ATTAINED_AT,
        LATEX_RATIO,  LATEX_ATTAINED_ERROR, LATEX_BOUND_THERE};
    static const struct latex_table table = {
        .alignment = "llllrrr", .columns = columns, .n = ARRAY_N(columns), .has = is_attained};
    put_table(&table, x, n, a, f);
}

void audit_put_latex_libraries(const struct audit *x, uint32_t n, struct arena *a, FILE *f)
{
    static const enum latex_column own[] = {
        LATEX_TARGET,           LATEX_FUNCTION_TYPE, LATEX_FORM,   LATEX_LARGEST,
        LATEX_LARGEST_AT,       LATEX_BOUND,         LATEX_VULKAN, LATEX_DOCUMENTED,
        LATEX_DOCUMENTED_STATE, LATEX_STATE};
    static const enum latex_column modelled[] = {
        LATEX_TARGET,  LATEX_FUNCTION_TYPE, LATEX_FORM,       LATEX_OPERATIONS,
        LATEX_LARGEST, LATEX_LARGEST_AT,    LATEX_ERRS,       LATEX_ERRS_AT,
        LATEX_BOUND,   LATEX_VULKAN,        LATEX_DOCUMENTED, LATEX_DOCUMENTED_STATE,
        LATEX_STATE};
    static const struct latex_table tables[] = {
        {.alignment = "lllrl>{\\raggedright}p{9mm}>{\\raggedright}p{15mm}rll",
         .columns = own,
         .n = ARRAY_N(own),
         .has = is_own     },
        {.alignment =
             "lll>{\\raggedright}p{15mm}rlrl>{\\raggedright}p{9mm}>{\\raggedright}p{15mm}rll", .columns = modelled,
         .n = ARRAY_N(modelled),
         .has = is_modelled}
    };
    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        put_table(&tables[i], x, n, a, f);
    }
}

void audit_put_latex_head(const struct audit *x, uint32_t n, FILE *f)
{
    (void)fputs(
        "% needs \\usepackage{array,booktabs,longtable,textcomp} and \\usepackage[T1]{fontenc}\n"
        "% errors and bounds in ulps of the exact value\n",
        f);
    for (uint32_t i = 0; i < n; i++) {
        (void)fputs("% target: ", f);
        audit_put_latex_text(x[i].target, f);
        (void)fputc('\n', f);
    }
    (void)fputs("{\\scriptsize\\setlength{\\tabcolsep}{2pt}\\noindent\n", f);
}

void audit_write_latex(const struct audit *x, struct arena *a, FILE *f)
{
    static const enum latex_column columns[] = {
        LATEX_FUNCTION, LATEX_TYPE,     LATEX_FORM,  LATEX_BOUND, LATEX_ABOVE,   LATEX_ABOVE_AT,
        LATEX_BELOW,    LATEX_BELOW_AT, LATEX_RATIO, LATEX_MEAN,  LATEX_ROUNDED, LATEX_STATE};
    static const struct latex_table table = {.alignment = "lll>{\\raggedright}p{9mm}rlrlrrrl",
                                             .columns = columns,
                                             .n = ARRAY_N(columns),
                                             .first_result = 4,
                                             .end_of_results = 11,
                                             .has = is_any,
                                             .is_always = true};
    audit_put_latex_head(x, 1, f);
    put_table(&table, x, 1, a, f);
    audit_put_latex_libraries(x, 1, a, f);
    audit_put_latex_attained(x, 1, a, f);
    audit_put_latex_violations(x, 1, a, f);
    (void)fputs("\\par}\n", f);
}
