/* reports/audit/audit_report.c -- an audit as a table for a terminal of 120 columns. */
#include "reports/audit/audit_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "reports/audit/audit_lines.h"
#include "reports/audit/audit_view.h"
#include "reports/model/figures.h"
#include "reports/write/report_put.h"

enum {
    REPORT_COLUMNS = 120,
    REPORT_ARENA = 64 << 20
};

enum column {
    COLUMN_FORM,
    COLUMN_STATE,
    COLUMN_BOUND,
    COLUMN_ABOVE,
    COLUMN_ABOVE_AT,
    COLUMN_BELOW,
    COLUMN_BELOW_AT,
    COLUMN_MEAN,
    COLUMN_ROUNDED,
    COLUMN_SPECIAL,
    COLUMN_ZERO,
    COLUMN_BREAKS
};
enum {
    COLUMN_N = 12
};
/* With two blanks before and one between them: 120. */
static const struct {
    const char *title;
    unsigned width;
    enum lines_align align;
} columns[COLUMN_N] = {
    [COLUMN_FORM] = {"form",    15, LINES_LEFT },
      [COLUMN_STATE] = {"",        10, LINES_LEFT },
    [COLUMN_BOUND] = {"bound",   10, LINES_LEFT },
      [COLUMN_ABOVE] = {"above",   10, LINES_RIGHT},
    [COLUMN_ABOVE_AT] = {"at",      10, LINES_LEFT },
      [COLUMN_BELOW] = {"below",   10, LINES_RIGHT},
    [COLUMN_BELOW_AT] = {"at",      10, LINES_LEFT },
      [COLUMN_MEAN] = {"mean",    7,  LINES_RIGHT},
    [COLUMN_ROUNDED] = {"rounded", 7,  LINES_RIGHT},
      [COLUMN_SPECIAL] = {"values",  6,  LINES_RIGHT},
    [COLUMN_ZERO] = {"zeros",   6,  LINES_RIGHT},
      [COLUMN_BREAKS] = {"breaks",  6,  LINES_RIGHT},
};

/* One line, blanks at its end left out. */
static void put_cells(const char *const *cell, FILE *f)
{
    int last = 0;
    for (int i = 0; i < COLUMN_N; i++) {
        last = cell[i][0] ? i : last;
    }
    (void)fputs("  ", f);
    for (int i = 0; i <= last; i++) {
        int const is_end = i == last && columns[i].align == LINES_LEFT;
        audit_lines_put(cell[i], columns[i].width, is_end ? LINES_LAST : columns[i].align, f);
        (void)fputc(i == last ? '\n' : ' ', f);
    }
}

static const char *bound_text(struct arena *a, const struct audit_bound *b)
{
    if (!b->has_bound || b->bound.anything) {
        return "-";
    }
    if (audit_has_formula(b)) {
        return b->bound.ulp > 0 ? arena_printf(a, "%.6g, rule", b->bound.ulp) : "rule";
    }
    if (b->bound.ulp > 0 && b->bound.absolute > 0) {
        return arena_printf(a, "%.4g|+-%.1g", b->bound.ulp, b->bound.absolute);
    }
    if (b->bound.absolute > 0) {
        return arena_printf(a, "+-%.3g", b->bound.absolute);
    }
    return b->bound.ulp > 0 ? arena_printf(a, "%.6g", b->bound.ulp) : "CR";
}

/* Five digits, or as many as the column holds. */
static const char *error_text(struct arena *a, double error)
{
    const char *const text = audit_error_text(a, error, 5);
    return strlen(text) <= columns[COLUMN_ABOVE].width ? text : audit_error_text(a, error, 4);
}

/* Do the arguments of one input fit the columns? */
static int is_narrow(const struct audit_row *row)
{
    return row->fmt != FMT_F64 && func_rows[row->func].n_args == 1 && !func_rows[row->func].has_int;
}

static void put_far_input(struct arena *a, const struct audit_row *row, const char *side,
                          const struct sweep_worst *w, FILE *f)
{
    if (w->error > 0 || w->error < 0) {
        (void)fprintf(f, "    %s at %s: %s\n", side, audit_args_text(a, row, w->arg, AUDIT_HEX),
                      audit_enc_text(a, row->fmt, w->got, AUDIT_HEX));
    }
}

void audit_put_violation(const struct audit_row *row, const struct audit_case *c, struct arena *a,
                         FILE *f)
{
    (void)fprintf(f, "      %s(%s)\n", func_rows[row->func].name,
                  audit_args_text(a, row, c->worst.arg, AUDIT_HEX_AND_DECIMAL));
    (void)fprintf(f, "      gave   %s\n",
                  audit_enc_text(a, row->fmt, c->worst.got, AUDIT_HEX_AND_DECIMAL));
    (void)fputs("      exact  ", f);
    audit_lines_put(audit_exact_text(c), REPORT_COLUMNS - 13, LINES_LAST, f);
    (void)fputc('\n', f);
    if (c->kind == AUDIT_CASE_BOUND) {
        const char *const ratio = audit_ratio_text(a, c);
        (void)fprintf(f, "      error  %s ulp", audit_error_text(a, c->worst.error, 7));
        if (ratio[0]) {
            (void)fprintf(f, ", %s of %s ulp", ratio, audit_figure_text(a, c->bound_ulp, 7));
        }
        (void)fputc('\n', f);
    }
}

/* Where the error is the largest by the bound, which need not be where it is the largest above or below. */
static void put_attained(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const char *const attained = audit_attained_text(a, row, i);
    if (row->found[i].ratio > 0 && attained[0]) {
        (void)fprintf(f, "    error / bound %s: %s\n", audit_figure_text(a, row->found[i].ratio, 3),
                      attained);
    }
}

/* The largest error where no bound applies, if one applies elsewhere. */
static void put_outside(const struct audit_case *c, struct arena *a, FILE *f)
{
    if (c->outside > 0) {
        (void)fprintf(f, "    outside the bounded range: %s ulp\n",
                      audit_figure_text(a, c->outside, 5));
    }
}

/* How many results of a form are wrong, and the worst. */
static void put_wrong(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    static const char *const texts[AUDIT_CASE_N] = {[AUDIT_CASE_BOUND] = "outside the bound",
                                                    [AUDIT_CASE_SPECIAL] = "wrong special values",
                                                    [AUDIT_CASE_ZERO] = "zeros of the wrong sign"};
    const struct audit_case *const c = &row->found[i];
    const struct sweep_result *const r = &row->result[i];
    uint64_t const counts[AUDIT_CASE_N] = {[AUDIT_CASE_BOUND] = r->n_broken,
                                           [AUDIT_CASE_SPECIAL] = r->n_special,
                                           [AUDIT_CASE_ZERO] = r->n_zero_sign};
    for (int kind = AUDIT_CASE_BOUND; kind <= AUDIT_CASE_ZERO; kind++) {
        if (counts[kind] == 0) {
            continue;
        }
        (void)fprintf(f, "    %s: %s of %s inputs%s\n", texts[kind], figures_count(a, counts[kind]),
                      figures_count(a, r->n),
                      (int)c->kind != kind       ? ""
                      : kind == AUDIT_CASE_BOUND ? "; the worst:"
                                                 : "; one of them:");
        if ((int)c->kind == kind) {
            audit_put_violation(row, c, a, f);
        }
    }
}

/* Of a math library: what the figures rest on, and the vendor's bound. */
static void put_library(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const struct audit_form *const form = &row->form[i];
    const char *const state = audit_documented_state(row, i);
    const char *const hardware = audit_hardware_text(a, row, i);
    if (hardware[0]) {
        (void)fputs("    ", f);
        report_put_text(REPORT_TEXT, hardware, f);
        (void)fputc('\n', f);
    }
    if (audit_is_own(form)) {
        (void)fprintf(f, "    no hardware instruction%s\n",
                      audit_is_certified(row, i) ? ": certified" : "");
    }
    if (state[0]) {
        uint64_t const n = audit_count_beyond(row, i);
        (void)fprintf(f, "    vendor's bound: %s ulp, %s", audit_documented_text(a, form), state);
        (void)fprintf(f, n ? "; at least %s results beyond it\n" : "\n", figures_count(a, n));
    }
}

/* Where a function is not monotonic, or not symmetric. */
static void put_order(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const struct sweep_result *const r = &row->result[i];
    if (r->n_breaks > 0) {
        (void)fprintf(f, "    not monotonic: first after %s\n",
                      audit_enc_text(a, row->fmt, r->break_x, AUDIT_HEX_AND_DECIMAL));
    }
    if (r->n_asymmetric > 0) {
        (void)fprintf(f, "    not symmetric in %" PRIu64 " binade%s: first at %s\n",
                      r->n_asymmetric, r->n_asymmetric == 1 ? "" : "s",
                      audit_enc_text(a, row->fmt, r->asymmetric_x, AUDIT_HEX_AND_DECIMAL));
    }
}

static void put_refusal(const struct audit_form *form, struct arena *a, FILE *f)
{
    const char *rest = audit_cut(a, form->log);
    const char *line = printable_take_line(a, &rest);
    while (line && !line[0]) {
        line = printable_take_line(a, &rest);
    }
    (void)fputs("  ", f);
    audit_lines_put(form->name ? form->name : "", columns[COLUMN_FORM].width, LINES_LEFT, f);
    (void)fprintf(f, " %-10s ", audit_states[AUDIT_REFUSED].word);
    audit_lines_put(line ? line : "", 91, LINES_LAST, f);
    (void)fputc('\n', f);
}

/* Where the largest error on one side is, if there is one and it fits its column. */
static const char *input_text(struct arena *a, const struct audit_row *row,
                              const struct sweep_worst *w)
{
    bool const is_shown = is_narrow(row) && (w->error > 0 || w->error < 0);
    return is_shown ? audit_args_text(a, row, w->arg, AUDIT_HEX) : "";
}

/* Print the line of a form. Of one that was refused it is what the driver said, of one without results its
 * name and state. Inputs that are too wide for a column follow on lines of their own. */
static void put_form(const struct audit_row *row, uint32_t i, struct arena *a, FILE *f)
{
    const struct audit_form *const form = &row->form[i];
    const struct sweep_result *const r = &row->result[i];
    enum audit_state const state = audit_get_state(row, i);
    const char *cell[COLUMN_N] = {
        [COLUMN_FORM] = form->name ? form->name : "",
        [COLUMN_STATE] = audit_states[state].word,
        [COLUMN_BOUND] = bound_text(a, &row->bound[i]),
        [COLUMN_ABOVE] = error_text(a, r->above.error),
        [COLUMN_ABOVE_AT] = input_text(a, row, &r->above),
        [COLUMN_BELOW] = error_text(a, r->below.error),
        [COLUMN_BELOW_AT] = input_text(a, row, &r->below),
        [COLUMN_MEAN] = arena_printf(a, "%.3g", audit_get_mean(r)),
        [COLUMN_ROUNDED] = audit_share_text(a, r->n_rounded, r->n_numbers),
        [COLUMN_SPECIAL] = audit_short_count(a, r->n_special),
        [COLUMN_ZERO] = audit_short_count(a, r->n_zero_sign),
        [COLUMN_BREAKS] = audit_short_count(a, r->n_breaks),
    };
    if (state == AUDIT_REFUSED) {
        put_refusal(form, a, f);
        return;
    }
    if (state == AUDIT_EMPTY) {
        for (int k = COLUMN_BOUND; k < COLUMN_N; k++) { /* all behind name and state */
            cell[k] = "";
        }
        put_cells(cell, f);
        return;
    }
    put_cells(cell, f);
    if (!is_narrow(row)) {
        put_far_input(a, row, "above", &r->above, f);
        put_far_input(a, row, "below", &r->below, f);
    }
    put_attained(row, i, a, f);
    put_outside(&row->found[i], a, f);
    put_library(row, i, a, f);
    put_order(row, i, a, f);
    put_wrong(row, i, a, f);
}

/* Has a form that was run a bound that the table calls "rule"? */
static bool has_rule(const struct audit_row *row, uint32_t i)
{
    const struct audit_bound *const b = &row->bound[i];
    return row->result[i].n > 0 && b->has_bound && !b->bound.anything && audit_has_formula(b);
}

/* The text of each rule, once, with the first form that has it. */
static void put_rules(const struct audit_row *row, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const char *const text = has_rule(row, i) ? audit_bound_text(a, &row->bound[i]) : "";
        bool is_new = text[0] != 0;
        for (uint32_t k = 0; k < i && is_new; k++) {
            is_new = !has_rule(row, k) || strcmp(text, audit_bound_text(a, &row->bound[k])) != 0;
        }
        if (is_new) {
            (void)fprintf(f, "  rule of %s: ", row->form[i].name ? row->form[i].name : "");
            report_put_text(REPORT_TEXT, text, f);
            (void)fputc('\n', f);
        }
    }
}

/* Print a row, a function on a type: how it was measured, what is not done of it or went wrong, and a line
 * for each form. */
static void put_row(const struct audit_row *row, struct arena *a, FILE *f)
{
    (void)fprintf(f, "\n%s %s: %s, %s", func_rows[row->func].name, float_formats[row->fmt].name,
                  audit_describe_inputs(row, a), audit_time_text(a, row->seconds));
    (void)fprintf(f, " (device %s, judge %s", audit_time_text(a, row->device_seconds),
                  audit_time_text(a, row->judge_seconds));
    if (row->evaluator && row->evaluator[0]) {
        (void)fputs(", ", f);
        report_put_text(REPORT_TEXT, row->evaluator, f);
    }
    (void)fputs(")\n", f);
    if (row->n_done < row->n_inputs) {
        (void)fprintf(f, "  INCOMPLETE: %s of them done\n", figures_count(a, row->n_done));
    }
    if (row->n_skipped > 0) {
        (void)fprintf(f, "  SKIPPED: %s inputs, in blocks that the driver failed twice\n",
                      figures_count(a, row->n_skipped));
    }
    if (row->problem && row->problem[0]) {
        const char *rest = audit_cut(a, row->problem);
        const char *const line = printable_take_line(a, &rest);
        static const char head[] = "  PROBLEM: ";
        (void)fputs(head, f);
        audit_lines_put(line ? line : "", REPORT_COLUMNS - (unsigned)strlen(head), LINES_LAST, f);
        (void)fputc('\n', f);
    }
    for (uint32_t i = 0; i < row->n_forms; i++) {
        put_form(row, i, a, f);
    }
    put_rules(row, a, f);
}

/* Print the sums at the end: results, forms by state (the worst first), what is missing, and what the columns
 * mean. */
static void put_sum(const struct audit *x, struct arena *a, FILE *f)
{
    struct audit_sum const s = audit_get_sum(x);
    (void)fprintf(f, "\n%s results of %" PRIu64 " form%s in %" PRIu32 " row%s, %s\n",
                  figures_count(a, s.n_judged), s.n_forms, s.n_forms == 1 ? "" : "s", x->n_rows,
                  x->n_rows == 1 ? "" : "s", audit_time_text(a, s.seconds));
    for (int i = AUDIT_STATE_N; i-- > 0;) { /* a greater state is worse */
        if (s.n_state[i] > 0) {
            (void)fprintf(f, "  %-10s %" PRIu64 "\n", audit_states[i].word, s.n_state[i]);
        }
    }
    if (s.n_unfinished + s.n_problems > 0) {
        (void)fprintf(f, "  rows incomplete: %" PRIu64 ", with a problem: %" PRIu64 "\n",
                      s.n_unfinished, s.n_problems);
    }
    if (x->was_stopped) {
        (void)fputs("  STOPPED before all rows were done\n", f);
    }
    if (x->was_spent) {
        (void)fputs("  TIME SPENT before all rows were done\n", f);
    }
    if (s.n_undecided > 0) {
        (void)fprintf(f, "  results not decided: %s\n", figures_count(a, s.n_undecided));
    }
    (void)fputs(
        "Errors and bounds are in ulps of the exact value. +-x: an absolute bound. CR: correctly "
        "rounded. -: no bound.\nat: the input. above, below: the largest errors; the largest error "
        "/ bound may be at another input.\nrule: the bound depends on the arguments or is "
        "inherited; its text is below the function.\nvalues, zeros: wrong special values and wrong "
        "signs of zero. breaks: places "
        "where the function is not monotonic.\nkept: every argument was tried and decided. none "
        "found: a search found no violation.\nincomplete: nothing wrong so far, but not every "
        "planned input was tried and decided.\n",
        f);
}

/* Print an audit as text, with foreign text in printed form. Each row's memory is given back after it. */
void audit_print(const struct audit *x, FILE *f)
{
    const char *titles[COLUMN_N];
    struct arena a;
    arena_init(&a, REPORT_ARENA);
    (void)fputs("Audit of ", f);
    report_put_text(REPORT_TEXT, x->target, f);
    (void)fputs(", ", f);
    report_put_text(REPORT_TEXT, x->started, f);
    (void)fputs("; ", f);
    report_put_text(REPORT_TEXT, x->tool_version, f);
    (void)fputs(", MPFR ", f);
    report_put_text(REPORT_TEXT, x->mpfr, f);
    (void)fputs("\n\n", f);
    for (int i = 0; i < COLUMN_N; i++) {
        titles[i] = columns[i].title;
    }
    put_cells(titles, f);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        put_row(&x->rows[i], &a, f);
        arena_reset(&a);
    }
    put_sum(x, &a, f);
    arena_free(&a);
}
