/* reports/audit/audit_page_row.c -- one row of an audit on its page: plots, largest errors, wrong ones. */
#include "reports/audit/audit_page_row.h"

#include <inttypes.h>

#include "base/audit_result.h"
#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_page.h"
#include "reports/audit/audit_view.h"

static const char number[] = "number";

/* One line of the list of wrong results. */
struct wrong {
    const char *form, *what;
    const uint64_t *arg;
    uint64_t got;
    double error;
    int has_error;
};

static void put_side(const struct audit_row *row, const struct sweep_worst *w, struct arena *a,
                     FILE *f)
{
    int const is_something = w->error > 0 || w->error < 0;
    page_put_cell(audit_error_text(a, w->error, 7), number, f);
    page_put_cell(is_something ? audit_args_text(a, row, w->arg, AUDIT_HEX_AND_DECIMAL) : "",
                  "code", f);
    page_put_cell(is_something ? audit_enc_text(a, row->fmt, w->got, AUDIT_HEX_AND_DECIMAL) : "",
                  "code", f);
}

static void put_largest(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const struct sweep_result *const r = &row->result[i];
    page_open_line(f);
    page_put_cell(row->form[i].name, "", f);
    page_put_state(audit_get_state(row, i), f);
    page_put_cell(audit_bound_text(a, &row->bound[i]), "words", f);
    if (r->n > 0) {
        put_side(row, &r->above, a, f);
        put_side(row, &r->below, a, f);
        page_put_cell(audit_count_text(a, r->n), number, f);
        page_put_cell(audit_count_text(a, r->n_flushed), number, f);
        page_put_cell(audit_count_text(a, r->n_undecided), number, f);
    } else {
        (void)fputs("<td colspan=\"9\"></td>", f);
    }
    page_close_line(f);
}

static void put_all_largest(const struct audit_row *row, struct arena *a, FILE *f)
{
    static const struct page_column columns[] = {
        {"Form",       0},
        {"State",      0},
        {"Bound",      0},
        {"Above, ulp", 1},
        {"at",         0},
        {"gave",       0},
        {"Below, ulp", 1},
        {"at",         0},
        {"gave",       0},
        {"Inputs",     1},
        {"Flushed",    1},
        {"Undecided",  1},
    };
    if (row->n_forms == 0) {
        return;
    }
    page_open_table("Largest errors", columns, ARRAY_N(columns), f);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        put_largest(row, i, a, f);
    }
    page_close_table(f);
}

static void put_wrong(const struct audit_row *row, const struct wrong *w, struct arena *a, FILE *f)
{
    page_open_line(f);
    page_put_cell(w->form, "", f);
    page_put_cell(w->what, "bad", f);
    page_put_cell(audit_args_text(a, row, w->arg, AUDIT_HEX_AND_DECIMAL), "code", f);
    page_put_cell(audit_enc_text(a, row->fmt, w->got, AUDIT_HEX_AND_DECIMAL), "code", f);
    page_put_cell(w->has_error ? audit_error_text(a, w->error, 7) : "", number, f);
    page_close_line(f);
}

static void put_form_wrong(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const struct sweep_result *const r = &row->result[i];
    const char *const form = row->form[i].name;
    for (uint64_t k = 0; k < r->n_broken && k < SWEEP_WORST; k++) {
        const struct sweep_worst *const b = &r->broken[k];
        struct wrong const w = {form, "outside the bound", b->arg, b->got, b->error, 1};
        put_wrong(row, &w, a, f);
    }
    for (uint64_t k = 0; k < r->n_special && k < SWEEP_WORST; k++) {
        struct wrong const w = {form, "special value", r->special_arg[k], r->special_got[k], 0, 0};
        put_wrong(row, &w, a, f);
    }
    for (uint64_t k = 0; k < r->n_zero_sign && k < SWEEP_WORST; k++) {
        struct wrong const w = {form, "sign of zero", r->zero_arg[k], r->zero_got[k], 0, 0};
        put_wrong(row, &w, a, f);
    }
}

static void put_all_wrong(const struct audit_row *row, struct arena *a, FILE *f)
{
    static const struct page_column columns[] = {
        {"Form",       0},
        {"Wrong",      0},
        {"at",         0},
        {"gave",       0},
        {"Error, ulp", 1}
    };
    uint64_t n = 0;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        n += row->result[i].n_broken > 0 || row->result[i].n_special > 0 ||
             row->result[i].n_zero_sign > 0;
    }
    if (n == 0) {
        return;
    }
    (void)fprintf(f, "<p>Wrong results, at most %d of each kind and form:</p>\n", SWEEP_WORST);
    page_open_table("Wrong results", columns, ARRAY_N(columns), f);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        put_form_wrong(row, i, a, f);
    }
    page_close_table(f);
}

static void put_figure(const char *svg, const char *label, const char *caption, FILE *f)
{
    if (svg) {
        (void)fprintf(f,
                      "<figure><svg role=\"img\" aria-label=\"%s\" %s\n<figcaption>%s</figcaption>"
                      "</figure>\n",
                      label, svg, caption);
    }
}

/* Which forms a curve stands for, where it is more than one. */
static void put_shared(const struct audit_row *row, FILE *f)
{
    struct audit_curves const c = audit_get_curves(row);
    for (uint32_t k = 0; k < c.n; k++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < row->n_forms; i++) {
            n += c.of_form[i] == k;
        }
        for (uint32_t i = 0, at = 0; n > 1 && i < row->n_forms; i++) {
            if (c.of_form[i] == k) {
                (void)fputs(at++ == 0 ? "<p class=\"note\">The same errors everywhere: " : ", ", f);
                audit_put_html(row->form[i].name, f);
            }
        }
        (void)fputs(n > 1 ? ".</p>\n" : "", f);
    }
    if (c.n_left_out > 0) {
        (void)fprintf(f, "<p class=\"note\">Forms that are not drawn: %" PRIu32 ".</p>\n",
                      c.n_left_out);
    }
}

static void put_plots(const struct audit_row *row, const char *const *svg, FILE *f)
{
    if (!svg[PLOT_ERROR] && !svg[PLOT_HISTOGRAM]) {
        return;
    }
    (void)fputs("<div class=\"plots\">\n", f);
    put_figure(
        svg[PLOT_ERROR], "Largest error against input",
        "Largest |error| of each slice of the inputs, in the order of their encodings. Gaps: "
        "exact, or special values.",
        f);
    put_figure(svg[PLOT_HISTOGRAM], "Histogram of the errors",
               "Share of the results by |error|; both axes logarithmic.", f);
    (void)fputs("</div>\n", f);
    put_shared(row, f);
}

/* The histogram as numbers, where there is no plot of it. */
static void put_bins(const struct audit_row *row, struct arena *a, FILE *f)
{
    static const struct page_column columns[] = {
        {"Form",          0},
        {"below 1/2 ulp", 1},
        {"1/2 to 1",      1},
        {"1 to 2",        1},
        {"2 to 4",        1},
        {"4 to 16",       1},
        {"16 to 256",     1},
        {"256 or more",   1}
    };
    static const double edges[] = {0.5, 1, 2, 4, 16, 256};
    page_open_table("Results by error", columns, ARRAY_N(columns), f);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_result *const r = &row->result[i];
        uint64_t n[ARRAY_N(edges) + 1] = {0};
        for (uint32_t bin = 0; bin < SWEEP_BINS; bin++) {
            size_t k = 0;
            while (k < ARRAY_N(edges) && sweep_bin_edge(bin) >= edges[k]) {
                k++;
            }
            n[k] += r->histogram[bin];
        }
        page_open_line(f);
        page_put_cell(row->form[i].name, "", f);
        for (size_t k = 0; k < ARRAY_N(n); k++) {
            page_put_cell(audit_share_text(a, n[k], r->n_numbers), number, f);
        }
        page_close_line(f);
    }
    page_close_table(f);
}

static void put_summary(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    enum audit_state const state = audit_get_worst_state(row);
    (void)fprintf(f, "<summary><h3>%s %s</h3><span class=\"badge %s\">%s</span>",
                  func_rows[row->func].name, float_formats[row->fmt].name, audit_states[state].tone,
                  audit_states[state].badge);
    if (!audit_is_finished(row)) {
        (void)fprintf(f, "<span class=\"badge info\">%s</span>",
                      row->n_done < row->n_inputs ? "not finished" : "inputs skipped");
    }
    (void)fprintf(f, " <span class=\"note\">%s; %s; %s of %s inputs, %s</span></summary>\n",
                  func_rows[row->func].text,
                  row->depth == AUDIT_EXHAUSTIVE ? "every input" : "search",
                  audit_count_text(a, row->n_done), audit_count_text(a, row->n_inputs),
                  audit_time_text(a, row->seconds));
    (void)fprintf(f,
                  "<p class=\"note\"><a href=\"#row-%" PRIu32 "\">Link to this row</a>. Device %s, "
                  "judge %s, reference: ",
                  i + 1, audit_time_text(a, row->device_seconds),
                  audit_time_text(a, row->judge_seconds));
    audit_put_html(row->evaluator && row->evaluator[0] ? row->evaluator : "not named", f);
    (void)fputs(".</p>\n", f);
    if (row->n_skipped > 0) {
        (void)fprintf(f,
                      "<p>%s inputs were skipped: the driver failed twice on their blocks.</p>\n",
                      audit_count_text(a, row->n_skipped));
    }
}

void page_put_row(const struct audit_row *row, uint32_t i, const struct audit_plots *plots,
                  struct arena *a, FILE *f)
{
    enum audit_state const state = audit_get_worst_state(row);
    int const is_open = state == AUDIT_BROKEN || state == AUDIT_WRONG;
    (void)fprintf(f, "<details class=\"row %s\" id=\"row-%" PRIu32 "\"%s>\n",
                  audit_states[state].tone, i + 1, is_open ? " open" : "");
    put_summary(row, i, a, f);
    if (row->problem && row->problem[0]) {
        page_put_block("What went wrong", row->problem, a, f);
    }
    put_plots(row, plots->svg[i], f);
    put_all_largest(row, a, f);
    if (!plots->svg[i][PLOT_HISTOGRAM] && row->n_forms > 0) {
        put_bins(row, a, f);
    }
    put_all_wrong(row, a, f);
    (void)fputs("</details>\n", f);
}
