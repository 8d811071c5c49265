/* reports/audit/audit_csv.c -- an audit as CSV (RFC 4180), one line per form. */
#include "reports/audit/audit_csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "reports/audit/audit_column.h"
#include "reports/audit/audit_view.h"

/* What the columns that begin with "worst" tell of. */
static const char *const case_names[AUDIT_CASE_N] = {[AUDIT_CASE_NONE] = "",
                                                     [AUDIT_CASE_LARGEST] = "largest error",
                                                     [AUDIT_CASE_BOUND] = "outside the bound",
                                                     [AUDIT_CASE_SPECIAL] = "special value",
                                                     [AUDIT_CASE_ZERO] = "sign of zero"};

/* A line under construction. */
struct line {
    FILE *f;
    const struct audit_row *row;
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

static void put_encoding(struct line *l, bool is_given, uint64_t enc)
{
    if (is_given) {
        put_enc(l, l->row->fmt, enc);
    } else {
        next(l);
    }
}

static void put_number(struct line *l, bool is_given, double x)
{
    if (is_given) {
        put_real(l, x);
    } else {
        next(l);
    }
}

/* Argument i of a result, an encoding or an integer; nothing where the function has fewer, or there is no result. */
static void put_argument(struct line *l, unsigned i, const struct sweep_worst *w)
{
    const struct func_row *const f = &func_rows[l->row->func];
    if (w && i < f->n_args) {
        put_enc(l, l->row->fmt, w->arg[i]);
        return;
    }
    next(l);
    if (w && i == f->n_args && f->has_int) {
        (void)fprintf(l->f, "%" PRId64, (int64_t)(int32_t)(w->arg[i] & UINT32_MAX));
    }
}

static void put_got(struct line *l, const struct sweep_worst *w)
{
    if (w) {
        put_enc(l, l->row->fmt, w->got);
    } else {
        next(l);
    }
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

static bool has_number(const struct audit_bound *bound)
{
    return bound->has_bound && !bound->bound.anything;
}

static bool has_case(const struct audit_case *c)
{
    return c->kind != AUDIT_CASE_NONE;
}

static const struct sweep_worst *get_case(const struct audit_case *c)
{
    return has_case(c) ? &c->worst : NULL;
}

/* Write the line of one form, in the order of the columns of the head line. A text that could be long is
 * cut. */
static void put_form(const struct audit_entry *entry, struct arena *a, FILE *f)
{
    const struct audit *const x = entry->x;
    const struct audit_row *const row = entry->row;
    const struct audit_form *const form = &row->form[entry->form];
    const struct audit_bound *const bound = &row->bound[entry->form];
    const struct sweep_result *const r = &row->result[entry->form];
    const struct audit_case *const c = &row->found[entry->form];
    struct line l = {f, row, 0};
#define CSV(title, kind, ...) put_##kind(&l, __VA_ARGS__);
#include "reports/audit/audit_columns.def"
    (void)fputs("\r\n", f);
}

void audit_write_csv(const struct audit *x, struct arena *a, FILE *f)
{
    audit_put_csv_head(f);
    audit_put_csv_lines(x, a, f);
}

void audit_put_csv_head(FILE *f)
{
    static const char titles[] =
#define CSV(title, kind, ...) "," title
#include "reports/audit/audit_columns.def"
        ;
    (void)fprintf(f, "%s\r\n", titles + 1);
}

void audit_put_csv_lines(const struct audit *x, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            struct arena_mark const mark = arena_get_mark(a);
            put_form(&(struct audit_entry){x, &x->rows[i], k, i}, a, f);
            arena_release(a, mark);
        }
    }
}
