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

/* 0 is none. */
static void put_figure(double x, FILE *f)
{
    if (x > 0) {
        audit_put_latex_number(x, f);
    } else {
        (void)fputs("--", f);
    }
}

static void put_bound(const struct audit_bound *b, struct arena *a, FILE *f)
{
    if (!b->has_bound || b->bound.anything) {
        (void)fputs("--", f);
    } else if (audit_has_formula(b)) {
        audit_put_latex_text(audit_bound_text(a, b), f);
    } else if (b->bound.absolute > 0) {
        if (b->bound.ulp > 0) {
            audit_put_latex_number(b->bound.ulp, f);
            (void)fputs(" or ", f);
        }
        (void)fputs("$\\pm$", f);
        audit_put_latex_number(b->bound.absolute, f);
    } else if (b->bound.ulp > 0) {
        audit_put_latex_number(b->bound.ulp, f);
    } else {
        (void)fputs("CR", f);
    }
}

/* Arguments in hex, one above the other. */
static void put_stack(const struct audit_row *row, const uint64_t *arg, struct arena *a, FILE *f)
{
    const char *text = audit_args_text(a, row, arg, AUDIT_HEX);
    (void)fputs("\\shortstack[l]{", f);
    for (size_t n = 0; *text; text += n + (text[n] == ',' ? 2 : 0)) {
        n = strcspn(text, ",");
        (void)fprintf(f, "\\tiny\\texttt{%.*s}%s", (int)n, text, text[n] ? "\\\\" : "");
    }
    (void)fputs("} & ", f);
}

static void put_worst(const struct audit_row *row, const struct sweep_worst *w, struct arena *a,
                      FILE *f)
{
    audit_put_latex_number(w->error, f);
    (void)fputs(" & ", f);
    if (w->error > 0 || w->error < 0) {
        put_stack(row, w->arg, a, f);
    } else {
        (void)fputs("-- & ", f);
    }
}

/* Put the line of a form into the table; "--" where there is nothing to show, as it was refused or has no
 * results. */
static void put_form(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const struct sweep_result *const r = &row->result[i];
    enum audit_state const state = audit_get_state(row, i);
    audit_put_latex_text(func_rows[row->func].name, f);
    (void)fprintf(f, " & %s & ", float_formats[row->fmt].name);
    audit_put_latex_text(row->form[i].name, f);
    (void)fputs(" & ", f);
    put_bound(&row->bound[i], a, f);
    (void)fputs(" & ", f);
    if (state == AUDIT_REFUSED || state == AUDIT_EMPTY) {
        (void)fprintf(f, "-- & -- & -- & -- & -- & -- & -- & %s \\\\\n", audit_states[state].word);
        return;
    }
    put_worst(row, &r->above, a, f);
    put_worst(row, &r->below, a, f);
    put_figure(row->found[i].ratio, f);
    (void)fputs(" & ", f);
    audit_put_latex_number(audit_get_mean(r), f);
    (void)fputs(" & ", f);
    audit_put_latex_text(audit_share_text(a, r->n_rounded, r->n_numbers), f);
    (void)fprintf(f, " & %s \\\\\n", audit_states[state].word);
}

/* ---- wrong results ---- */

static void put_violation(const struct audit *x, const struct audit_row *row, uint32_t i,
                          struct arena *a, FILE *f)
{
    const struct audit_case *const c = &row->found[i];
    audit_put_latex_text(x->target, f);
    (void)fprintf(f, " & %s %s & ", func_rows[row->func].name, float_formats[row->fmt].name);
    audit_put_latex_text(row->form[i].name, f);
    (void)fputs(" & ", f);
    put_stack(row, c->worst.arg, a, f);
    (void)fprintf(f, "{\\tiny\\texttt{%s}} & ",
                  audit_enc_text(a, row->fmt, c->worst.got, AUDIT_HEX));
    audit_put_latex_text(audit_exact_text(c), f);
    (void)fputs(" & ", f);
    if (c->kind == AUDIT_CASE_BOUND) {
        audit_put_latex_number(c->worst.error, f);
    } else {
        (void)fputs("--", f);
    }
    (void)fputs(" & ", f);
    put_figure(c->bound_ulp, f);
    (void)fputs(" & ", f);
    put_figure(c->ratio, f);
    (void)fputs(" \\\\\n", f);
}

void audit_put_latex_violations(const struct audit *x, uint32_t n, struct arena *a, FILE *f)
{
    bool is_any = false;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < x[k].n_rows; i++) {
            for (uint32_t form = 0; form < x[k].rows[i].n_forms; form++) {
                if (!audit_is_violation(&x[k].rows[i].found[form])) {
                    continue;
                }
                if (!is_any) {
                    (void)fputs("\n\\begin{longtable}[l]{llllllrrr}\n\\toprule\nTarget & "
                                "Function & Form & at & gave & exact & Error & Bound & "
                                "Error/bound \\\\\n\\midrule\n\\endhead\n",
                                f);
                }
                is_any = true;
                put_violation(&x[k], &x[k].rows[i], form, a, f);
            }
        }
    }
    (void)fputs(is_any ? "\\bottomrule\n\\end{longtable}\n" : "", f);
}

/* ---- where error / bound is attained ---- */

static void put_attained(const struct audit *x, const struct audit_row *row, uint32_t i,
                         struct arena *a, FILE *f)
{
    const struct audit_case *const c = &row->found[i];
    audit_put_latex_text(x->target, f);
    (void)fprintf(f, " & %s %s & ", func_rows[row->func].name, float_formats[row->fmt].name);
    audit_put_latex_text(row->form[i].name, f);
    (void)fputs(" & ", f);
    put_stack(row, c->worst.arg, a, f);
    put_figure(c->ratio, f);
    (void)fputs(" & ", f);
    put_figure(fabs(c->worst.error), f);
    (void)fputs(" & ", f);
    put_figure(c->bound_ulp, f);
    (void)fputs(" \\\\\n", f);
}

void audit_put_latex_attained(const struct audit *x, uint32_t n, struct arena *a, FILE *f)
{
    bool is_any = false;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < x[k].n_rows; i++) {
            for (uint32_t form = 0; form < x[k].rows[i].n_forms; form++) {
                if (!audit_attained_text(a, &x[k].rows[i], form)[0]) {
                    continue;
                }
                if (!is_any) {
                    (void)fputs("\n\\begin{longtable}[l]{llllrrr}\n\\toprule\nTarget & "
                                "Function & Form & attained at & Error/bound & Error & Bound "
                                "\\\\\n\\midrule\n\\endhead\n",
                                f);
                }
                is_any = true;
                put_attained(&x[k], &x[k].rows[i], form, a, f);
            }
        }
    }
    (void)fputs(is_any ? "\\bottomrule\n\\end{longtable}\n" : "", f);
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
    audit_put_latex_head(x, 1, f);
    (void)fputs("\\begin{longtable}[l]{lll>{\\raggedright}p{9mm}rlrlrrrl}\n\\toprule\nFunction & "
                "Type & Form & Bound & Above "
                "& at & Below & at & Error/bound & Mean & Rounded & \\\\\n\\midrule\n\\endhead\n",
                f);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        bool const is_new = i > 0 && x->rows[i].func != x->rows[i - 1].func;
        (void)fputs(is_new ? "\\addlinespace\n" : "", f);
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            put_form(&x->rows[i], k, a, f);
        }
    }
    (void)fputs("\\bottomrule\n\\end{longtable}\n", f);
    audit_put_latex_attained(x, 1, a, f);
    audit_put_latex_violations(x, 1, a, f);
    (void)fputs("\\par}\n", f);
}
