/* reports/audit/audit_latex.c -- an audit as a table for LaTeX, with booktabs. */
#include "reports/audit/audit_latex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "reports/audit/audit_view.h"

/* What TeX has for a character that it would act upon; NULL for any other. */
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

/* Foreign text in printed form, what is not ASCII as "?". */
static void put_text(const char *text, FILE *f)
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

/* "$1.5\\cdot10^{-3}$" where the number is printed with an exponent. */
static void put_number(double x, FILE *f)
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

static void put_bound(const struct audit_bound *b, struct arena *a, FILE *f)
{
    if (!b->has_bound || b->bound.anything) {
        (void)fputs("--", f);
    } else if (audit_has_formula(b)) {
        put_text(audit_bound_text(a, b), f);
    } else if (b->bound.absolute > 0) {
        if (b->bound.ulp > 0) {
            put_number(b->bound.ulp, f);
            (void)fputs(" or ", f);
        }
        (void)fputs("$\\pm$", f);
        put_number(b->bound.absolute, f);
    } else if (b->bound.ulp > 0) {
        put_number(b->bound.ulp, f);
    } else {
        (void)fputs("CR", f);
    }
}

static void put_worst(const struct audit_row *row, const struct sweep_worst *w, struct arena *a,
                      FILE *f)
{
    put_number(w->error, f);
    (void)fputs(" & ", f);
    if (w->error > 0 || w->error < 0) {
        (void)fprintf(f, "\\texttt{%s}", audit_args_text(a, row, w->arg, AUDIT_HEX));
    } else {
        (void)fputs("--", f);
    }
    (void)fputs(" & ", f);
}

/* Put the line of a form into the table; "--" where there is nothing to show, as it was refused or has no
 * results. */
static void put_form(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const struct sweep_result *const r = &row->result[i];
    enum audit_state const state = audit_get_state(row, i);
    put_text(func_rows[row->func].name, f);
    (void)fprintf(f, " & %s & ", float_formats[row->fmt].name);
    put_text(row->form[i].name, f);
    (void)fputs(" & ", f);
    put_bound(&row->bound[i], a, f);
    (void)fputs(" & ", f);
    if (state == AUDIT_REFUSED || state == AUDIT_EMPTY) {
        (void)fprintf(f, "-- & -- & -- & -- & -- & -- & %s \\\\\n", audit_states[state].word);
        return;
    }
    put_worst(row, &r->above, a, f);
    put_worst(row, &r->below, a, f);
    put_number(audit_get_mean(r), f);
    (void)fputs(" & ", f);
    put_text(audit_share_text(a, r->n_rounded, r->n_numbers), f);
    (void)fprintf(f, " & %s \\\\\n", audit_states[state].word);
}

void audit_write_latex(const struct audit *x, struct arena *a, FILE *f)
{
    (void)fputs("% needs \\usepackage{booktabs,textcomp} and \\usepackage[T1]{fontenc}\n% target: ",
                f);
    put_text(x->target, f);
    (void)fputs(
        "\n\\begin{tabular}{lllrrlrlrrl}\n\\toprule\nFunction & Type & Form & Bound & Above "
        "& at & Below & at & Mean & Rounded & \\\\\n",
        f);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        (void)fputs(x->rows[i].n_forms > 0 ? "\\midrule\n" : "", f);
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            put_form(&x->rows[i], k, a, f);
        }
    }
    (void)fputs("\\bottomrule\n\\end{tabular}\n", f);
}
