/* reports/audit/audit_csv.c -- an audit as CSV (RFC 4180), one line per form. */
#include "reports/audit/audit_csv.h"

#include <inttypes.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "reports/audit/audit_view.h"

static const char *const titles[] = {"target",
                                     "version",
                                     "function",
                                     "type",
                                     "form",
                                     "depth",
                                     "state",
                                     "bound_ulp",
                                     "bound_absolute",
                                     "bound_rule",
                                     "max_error",
                                     "inputs_planned",
                                     "inputs_skipped",
                                     "inputs",
                                     "numbers",
                                     "rounded",
                                     "broken",
                                     "special",
                                     "zero_sign",
                                     "flushed",
                                     "breaks",
                                     "slow",
                                     "undecided",
                                     "mean_ulp",
                                     "above_ulp",
                                     "above_x",
                                     "above_y",
                                     "above_z",
                                     "above_got",
                                     "below_ulp",
                                     "below_x",
                                     "below_y",
                                     "below_z",
                                     "below_got",
                                     "worst",
                                     "worst_ulp",
                                     "worst_x",
                                     "worst_y",
                                     "worst_z",
                                     "worst_got",
                                     "worst_exact",
                                     "worst_bound_ulp",
                                     "error_over_bound",
                                     "seconds",
                                     "device_seconds",
                                     "judge_seconds",
                                     "evaluator",
                                     "problem",
                                     "log"};
/* What the columns that begin with "worst" tell of. */
static const char *const case_names[AUDIT_CASE_N] = {[AUDIT_CASE_NONE] = "",
                                                     [AUDIT_CASE_LARGEST] = "largest error",
                                                     [AUDIT_CASE_BOUND] = "outside the bound",
                                                     [AUDIT_CASE_SPECIAL] = "special value",
                                                     [AUDIT_CASE_ZERO] = "sign of zero"};

/* A line under construction. */
struct line {
    FILE *f;
    int n;
};

static void next(struct line *l)
{
    if (l->n++ > 0) {
        (void)fputc(',', l->f);
    }
}

/*
 * Foreign text: printable, always in quotes. A spreadsheet would run what starts with one of =+-@,
 * so an apostrophe goes before it.
 */
static void put_text(struct line *l, const char *text)
{
    next(l);
    (void)fputc('"', l->f);
    if (text && text[0] && strchr("=+-@", text[0])) {
        (void)fputc('\'', l->f);
    }
    for (const char *p = text ? text : ""; *p;) {
        char printed[PRINTABLE_BYTES];
        p += printable_take_char(p, printed);
        (void)fputs(printed[0] == '"' ? "\"\"" : printed, l->f);
    }
    (void)fputc('"', l->f);
}

static void put_count(struct line *l, uint64_t n)
{
    next(l);
    (void)fprintf(l->f, "%" PRIu64, n);
}

static void put_real(struct line *l, double x)
{
    next(l);
    (void)fprintf(l->f, "%.17g", x);
}

static void put_enc(struct line *l, enum fmt_id fmt, uint64_t enc)
{
    next(l);
    (void)fprintf(l->f, "0x%0*" PRIx64, (int)(float_formats[fmt].n_bits / 4),
                  enc & format_mask(&float_formats[fmt]));
}

static void put_empty(struct line *l)
{
    next(l);
}

static void put_worst(struct line *l, const struct audit_row *row, const struct sweep_worst *w)
{
    put_real(l, w->error);
    const struct func_row *const f = &func_rows[row->func];
    for (unsigned i = 0; i < SWEEP_ARGS; i++) {
        if (i < f->n_args) {
            put_enc(l, row->fmt, w->arg[i]);
        } else if (i == f->n_args && f->has_int) {
            next(l);
            (void)fprintf(l->f, "%" PRId64, (int64_t)(int32_t)(w->arg[i] & UINT32_MAX));
        } else {
            put_empty(l);
        }
    }
    put_enc(l, row->fmt, w->got);
}

/* A decimal number as it is, so that a negative one stays a number; any other text as foreign. */
static void put_decimal(struct line *l, const char *text)
{
    if (text[0] && strspn(text, "0123456789.e+-") == strlen(text)) {
        next(l);
        (void)fputs(text, l->f);
    } else {
        put_text(l, text);
    }
}

/* 0 is none. */
static void put_figure(struct line *l, double x)
{
    if (x > 0) {
        put_real(l, x);
    } else {
        put_empty(l);
    }
}

/* The result that the form is judged by, with the exact value. */
static void put_case(struct line *l, const struct audit_row *row, const struct audit_case *c)
{
    enum {
        N_OF_WORST = 5 /* what put_worst puts */
    };
    put_text(l, case_names[c->kind]);
    if (c->kind == AUDIT_CASE_NONE) {
        for (int i = 0; i < N_OF_WORST; i++) {
            put_empty(l);
        }
    } else {
        put_worst(l, row, &c->worst);
    }
    put_decimal(l, audit_exact_text(c));
    put_figure(l, c->bound_ulp);
    put_figure(l, c->ratio);
}

static void put_bound(struct line *l, const struct audit_row *row, uint32_t i)
{
    const struct audit_bound *const b = &row->bound[i];
    if (b->has_bound && !b->bound.anything) {
        put_real(l, b->bound.ulp);
        put_real(l, b->bound.absolute);
    } else {
        put_empty(l);
        put_empty(l);
    }
    put_text(l, b->rule);
    if (row->form[i].is_decorated) {
        put_real(l, (double)row->form[i].max_error);
    } else {
        put_empty(l);
    }
}

/* Write the line of one form, in the order of the columns of the head line. A text that could be long is
 * cut. */
static void put_form(const struct audit *x, const struct audit_row *row, uint32_t i,
                     struct arena *a, FILE *f)
{
    const struct sweep_result *const r = &row->result[i];
    struct line l = {f, 0};
    put_text(&l, x->target);
    put_text(&l, audit_get_version(x, a));
    put_text(&l, func_rows[row->func].name);
    put_text(&l, float_formats[row->fmt].name);
    put_text(&l, row->form[i].name);
    put_text(&l, row->depth == AUDIT_EXHAUSTIVE ? "exhaustive" : "search");
    put_text(&l, audit_states[audit_get_state(row, i)].word);
    put_bound(&l, row, i);
    put_count(&l, row->n_inputs);
    put_count(&l, row->n_skipped);
    put_count(&l, r->n);
    put_count(&l, r->n_numbers);
    put_count(&l, r->n_rounded);
    put_count(&l, r->n_broken);
    put_count(&l, r->n_special);
    put_count(&l, r->n_zero_sign);
    put_count(&l, r->n_flushed);
    put_count(&l, r->n_breaks);
    put_count(&l, r->n_slow);
    put_count(&l, r->n_undecided);
    put_real(&l, audit_get_mean(r));
    put_worst(&l, row, &r->above);
    put_worst(&l, row, &r->below);
    put_case(&l, row, &row->found[i]);
    put_real(&l, row->seconds);
    put_real(&l, row->device_seconds);
    put_real(&l, row->judge_seconds);
    put_text(&l, row->evaluator);
    put_text(&l, audit_cut(a, row->problem));
    put_text(&l, audit_cut(a, row->form[i].log));
    (void)fputs("\r\n", f);
}

void audit_write_csv(const struct audit *x, struct arena *a, FILE *f)
{
    audit_put_csv_head(f);
    audit_put_csv_lines(x, a, f);
}

void audit_put_csv_head(FILE *f)
{
    for (size_t i = 0; i < ARRAY_N(titles); i++) {
        (void)fprintf(f, "%s%s", i ? "," : "", titles[i]);
    }
    (void)fputs("\r\n", f);
}

void audit_put_csv_lines(const struct audit *x, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            struct arena_mark const mark = arena_get_mark(a);
            put_form(x, &x->rows[i], k, a, f);
            arena_release(a, mark);
        }
    }
}
