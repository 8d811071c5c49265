/* reports/audit/audit_html.c -- an audit as one self-contained page without any script. */
#include "reports/audit/audit_html.h"

#include <inttypes.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_page.h"
#include "reports/audit/audit_page_row.h"
#include "reports/audit/audit_plot.h"
#include "reports/audit/audit_style.h"
#include "reports/audit/audit_view.h"

enum {
    HTML_ARENA = 1 << 30, /* the plots: gnuplot's output and what is taken from it */
    HTML_LINE_ARENA = 64 << 20
};

/* Markup of ours, as it is. */
static void put(const char *markup, FILE *f)
{
    (void)fputs(markup, f);
}

static void put_head(const struct audit *x, FILE *f)
{
    put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", f);
    put("<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
        f);
    put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", f);
    put("<meta name=\"referrer\" content=\"no-referrer\">\n<title>halfulp audit: ", f);
    audit_put_html(x->target, f);
    put("</title>\n<style>\n", f);
    for (uint32_t i = 0; i < page_style_n; i++) {
        put(page_style[i], f);
        put("\n", f);
    }
    put("</style>\n</head>\n<body>\n", f);
}

static void put_number(const char *text, const char *label, const char *tone, FILE *f)
{
    (void)fprintf(f, "<li><b class=\"%s\">%s</b> %s</li>\n", tone, text, label);
}

static void put_headline(const struct audit *x, const struct audit_sum *s, FILE *f)
{
    uint64_t const n_bad = s->n_state[AUDIT_BROKEN] + s->n_state[AUDIT_WRONG];
    put("<h1>", f);
    if (n_bad > 0) {
        (void)fprintf(f, "%" PRIu64 " of %" PRIu64 " forms are wrong on ", n_bad, s->n_forms);
    } else if (s->n_unfinished + s->n_problems > 0 || x->was_stopped) {
        put("Nothing wrong so far on ", f);
    } else {
        (void)fprintf(f, "All %" PRIu64 " bounds are kept on ", s->n_state[AUDIT_KEPT]);
    }
    audit_put_html(x->target, f);
    put("</h1>\n", f);
    if (x->was_stopped) {
        put("<p>The audit was stopped before all rows were done.</p>\n", f);
    }
}

static void put_top(const struct audit *x, struct arena *a, FILE *f)
{
    struct audit_sum const s = audit_get_sum(x);
    put("<header>\n<p class=\"eyebrow\">halfulp audit</p>\n", f);
    put_headline(x, &s, f);
    put("<ul class=\"numbers\">\n", f);
    put_number(audit_count_text(a, s.n_state[AUDIT_BROKEN]), "bounds broken",
               s.n_state[AUDIT_BROKEN] ? "bad" : "plain", f);
    put_number(audit_count_text(a, s.n_state[AUDIT_KEPT]), "bounds kept", "plain", f);
    put_number(audit_short_count(a, s.n_special), "special values wrong",
               s.n_special ? "bad" : "plain", f);
    put_number(audit_short_count(a, s.n_zero_sign), "signs of zero wrong",
               s.n_zero_sign ? "bad" : "plain", f);
    put_number(audit_short_count(a, s.n_breaks), "breaks of monotonicity", "plain", f);
    put_number(audit_count_text(a, s.n_state[AUDIT_REFUSED]), "forms refused",
               s.n_state[AUDIT_REFUSED] ? "info" : "plain", f);
    put_number(audit_short_count(a, s.n_undecided), "results not decided",
               s.n_undecided ? "info" : "plain", f);
    put_number(audit_count_text(a, s.n_unfinished + s.n_problems),
               "rows with a problem, not finished",
               s.n_unfinished + s.n_problems ? "info" : "plain", f);
    put_number(audit_short_count(a, s.n_judged), "results judged", "plain", f);
    put_number(audit_time_text(a, s.seconds), "in all", "plain", f);
    put("</ul>\n<nav aria-label=\"Sections\"><a href=\"#wrong\">Wrong results</a>"
        "<a href=\"#table\">Table</a><a href=\"#refused\">Refused</a>"
        "<a href=\"#rows\">Functions</a><a href=\"#target\">Target</a></nav>\n</header>\n<main>\n",
        f);
}

/* First cells of a line: function with a link to its row, type, form. */
static void put_names(const struct audit_row *row, uint32_t i, uint32_t form, FILE *f)
{
    page_open_line(f);
    (void)fprintf(f, "<th scope=\"row\"><a href=\"#row-%" PRIu32 "\">%s</a></th>", i + 1,
                  func_rows[row->func].name);
    page_put_cell(float_formats[row->fmt].name, "", f);
    page_put_cell(row->form[form].name, "", f);
}

/* The example that says most about a form that is wrong. */
static struct sweep_worst get_example(const struct sweep_result *r)
{
    struct sweep_worst w = {.error = 0};
    if (r->n_broken > 0) {
        return r->broken[0];
    }
    if (r->n_special > 0) {
        memcpy(w.arg, r->special_arg[0], sizeof w.arg);
        w.got = r->special_got[0];
        return w;
    }
    memcpy(w.arg, r->zero_arg[0], sizeof w.arg);
    w.got = r->zero_got[0];
    return w;
}

static void put_wrong_form(const struct audit_row *row, uint32_t i, uint32_t form, struct arena *a,
                           FILE *f)
{
    const struct sweep_result *const r = &row->result[form];
    struct sweep_worst const w = get_example(r);
    put_names(row, i, form, f);
    page_put_cell(r->n_broken > 0 ? audit_error_text(a, w.error, 7) : "", "number bad", f);
    page_put_cell(audit_bound_text(a, &row->bound[form]), "words", f);
    page_put_cell(audit_args_text(a, row, w.arg, AUDIT_HEX_AND_DECIMAL), "code", f);
    page_put_cell(audit_enc_text(a, row->fmt, w.got, AUDIT_HEX_AND_DECIMAL), "code", f);
    page_put_cell(audit_count_text(a, r->n_broken), "number", f);
    page_put_cell(audit_count_text(a, r->n_special), "number", f);
    page_put_cell(audit_count_text(a, r->n_zero_sign), "number", f);
    page_close_line(f);
}

static void put_wrong(const struct audit *x, struct arena *a, FILE *f)
{
    static const struct page_column columns[] = {
        {"Function",       0},
        {"Type",           0},
        {"Form",           0},
        {"Error, ulp",     1},
        {"Bound",          0},
        {"at",             0},
        {"gave",           0},
        {"Outside bound",  1},
        {"Special values", 1},
        {"Signs of zero",  1}
    };
    struct audit_sum const s = audit_get_sum(x);
    put("<h2 id=\"wrong\">Wrong results</h2>\n", f);
    if (s.n_state[AUDIT_BROKEN] + s.n_state[AUDIT_WRONG] == 0) {
        put("<p class=\"empty\">None: every bound was kept, every special value is right.</p>\n",
            f);
        return;
    }
    put("<p class=\"note\">Forms outside their bound with their worst input, then those with wrong "
        "special values or signs of zero, with an example.</p>\n",
        f);
    page_open_table("Wrong results", columns, ARRAY_N(columns), f);
    for (int state = AUDIT_BROKEN; state >= AUDIT_WRONG; state--) {
        for (uint32_t i = 0; i < x->n_rows; i++) {
            for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
                if (audit_get_state(&x->rows[i], k) == (enum audit_state)state) {
                    put_wrong_form(&x->rows[i], i, k, a, f);
                    arena_reset(a);
                }
            }
        }
    }
    page_close_table(f);
}

static void put_table_line(const struct audit_row *row, uint32_t i, uint32_t form, struct arena *a,
                           FILE *f)
{
    const struct sweep_result *const r = &row->result[form];
    enum audit_state const state = audit_get_state(row, form);
    int const has_run = state != AUDIT_REFUSED && state != AUDIT_EMPTY;
    const char *const cells[] = {
        audit_error_text(a, r->above.error, 5),
        r->above.error > 0 ? audit_args_text(a, row, r->above.arg, AUDIT_HEX) : "",
        audit_error_text(a, r->below.error, 5),
        r->below.error < 0 ? audit_args_text(a, row, r->below.arg, AUDIT_HEX) : "",
        arena_printf(a, "%.4g", audit_get_mean(r)),
        audit_share_text(a, r->n_rounded, r->n_numbers),
        audit_count_text(a, r->n_special),
        audit_count_text(a, r->n_zero_sign),
        audit_count_text(a, r->n_breaks),
        audit_count_text(a, r->n),
    };
    put_names(row, i, form, f);
    page_put_state(state, f);
    page_put_cell(audit_bound_text(a, &row->bound[form]), "words", f);
    for (size_t k = 0; k < ARRAY_N(cells); k++) {
        page_put_cell(has_run ? cells[k] : "", k == 1 || k == 3 ? "code" : "number", f);
    }
    page_close_line(f);
}

static void put_table(const struct audit *x, struct arena *a, FILE *f)
{
    static const struct page_column columns[] = {
        {"Function",             0},
        {"Type",                 0},
        {"Form",                 0},
        {"State",                0},
        {"Bound",                0},
        {"Above, ulp",           1},
        {"at",                   0},
        {"Below, ulp",           1},
        {"at",                   0},
        {"Mean, ulp",            1},
        {"Correctly rounded",    1},
        {"Special values wrong", 1},
        {"Signs of zero wrong",  1},
        {"Breaks",               1},
        {"Inputs",               1}
    };
    put("<h2 id=\"table\">Table</h2>\n<p class=\"note\">Errors in units in the last place of the "
        "exact value: the largest above and below it and the inputs that attain them. Breaks: of "
        "monotonicity.</p>\n",
        f);
    if (x->n_rows == 0) {
        put("<p class=\"empty\">Nothing was audited.</p>\n", f);
        return;
    }
    page_open_table("All functions, types and forms", columns, ARRAY_N(columns), f);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            put_table_line(&x->rows[i], i, k, a, f);
            arena_reset(a);
        }
    }
    page_close_table(f);
}

static void put_refused(const struct audit *x, struct arena *a, FILE *f)
{
    uint64_t n = 0;
    put("<h2 id=\"refused\">Refused</h2>\n", f);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t k = 0; k < x->rows[i].n_forms; k++) {
            const struct audit_row *const row = &x->rows[i];
            if (!row->form[k].is_refused) {
                continue;
            }
            if (n++ == 0) {
                put("<p class=\"note\">Forms that the driver did not compile, with what it said."
                    "</p>\n",
                    f);
            }
            page_put_block(arena_printf(a, "%s %s, %s", func_rows[row->func].name,
                                        float_formats[row->fmt].name,
                                        row->form[k].name ? row->form[k].name : ""),
                           row->form[k].log, a, f);
            arena_reset(a);
        }
    }
    if (n == 0) {
        put("<p class=\"empty\">None: every form was compiled.</p>\n", f);
    }
}

static void put_rows(const struct audit *x, const struct audit_plots *plots, struct arena *a,
                     FILE *f)
{
    put("<h2 id=\"rows\">Functions</h2>\n", f);
    if (plots->problem[0]) {
        (void)fprintf(f,
                      "<p><b class=\"info\">Plots are missing:</b> %s. The numbers stand in the "
                      "tables.</p>\n",
                      plots->problem);
    }
    for (uint32_t i = 0; i < x->n_rows; i++) {
        page_put_row(&x->rows[i], i, plots, a, f);
        arena_reset(a);
    }
}

static void put_target(const struct audit *x, struct arena *a, FILE *f)
{
    put("<h2 id=\"target\">Target</h2>\n<p>", f);
    audit_put_html(x->target, f);
    put(", started ", f);
    audit_put_html(x->started, f);
    put(", by halfulp ", f);
    audit_put_html(x->tool_version, f);
    put(" with MPFR ", f);
    audit_put_html(x->mpfr, f);
    put(".</p>\n", f);
    page_put_block("What the driver says of itself", x->facts, a, f);
    put("</main>\n<footer><p>Inputs and results are bit patterns in hex with the number they stand "
        "for in decimal. Errors are certified: a filter decides only where its own proven error "
        "leaves no doubt, and MPFR decides the rest.</p></footer>\n</body>\n</html>\n",
        f);
}

enum res audit_write_html(const struct audit *x, const char *path, struct err *e)
{
    struct audit_file file;
    struct audit_plots plots;
    struct arena a, line;
    arena_init(&a, HTML_ARENA);
    arena_init(&line, HTML_LINE_ARENA);
    enum res r = audit_make_plots(x, &a, &plots, e);
    r = r == RES_OK ? audit_file_open(&file, e) : r;
    if (r == RES_OK) {
        put_head(x, file.f);
        put_top(x, &line, file.f);
        put_wrong(x, &line, file.f);
        put_table(x, &line, file.f);
        put_refused(x, &line, file.f);
        put_rows(x, &plots, &line, file.f);
        put_target(x, &line, file.f);
        r = audit_file_close(&file, path, e);
    }
    arena_free(&line);
    arena_free(&a);
    return r;
}
