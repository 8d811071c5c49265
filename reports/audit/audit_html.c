/* reports/audit/audit_html.c -- an audit as one self-contained page without any script. */
#include "reports/audit/audit_html.h"

#include <inttypes.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_column.h"
#include "reports/audit/audit_plot.h"
#include "reports/audit/audit_tables.h"
#include "reports/audit/audit_view.h"
#include "reports/model/fact_list.h"
#include "reports/model/figures.h"
#include "reports/write/html.h"

extern const char *const audit_css[]; /* the lines of audit.css, NULL after the last */

static bool is_unfinished(const struct audit *x, const struct audit_sum *s)
{
    return audit_get_outcome(x) == AUDIT_SOME_MISSING || s->n_problems > 0;
}

static const char *make_headline(const struct audit *x, const struct audit_sum *s, struct arena *a)
{
    uint64_t const n_bad = s->n_state[AUDIT_BROKEN] + s->n_state[AUDIT_WRONG];
    uint64_t const n_if = s->n_state[AUDIT_WRONG_IF];
    const char *const target = x->target ? x->target : "";
    if (n_bad > 0) {
        return arena_printf(a, "%" PRIu64 " of %" PRIu64 " forms are wrong on %s", n_bad,
                            s->n_forms, target);
    }
    if (n_if > 0) {
        return arena_printf(
            a, "%" PRIu64 " of %" PRIu64 " forms are wrong on %s if the hardware rounds correctly",
            n_if, s->n_forms, target);
    }
    if (is_unfinished(x, s)) {
        return arena_printf(a, "Incomplete: nothing wrong so far on %s", target);
    }
    return arena_printf(a, "%s on %s", audit_describe_kept(s, a), target);
}

static void add_number(struct fact_list *b, const char *label, const char *text,
                       enum report_tone tone)
{
    fact_list_add(b, label, text, LOOK_TEXT, tone);
}

/* The figures at the top of the page, a label and a number each. Bad is what no driver may do (broken bounds,
 * wrong values and signs); what may be is plain, and what is missing (refused, undecided, not finished) is
 * information. 0: the arena is full. */
static int make_numbers(struct report_facts *out, const struct audit_sum *s, struct arena *a)
{
    uint64_t const n_open = s->n_unfinished + s->n_problems;
    struct fact_list b;
    if (!fact_list_open(&b, a)) {
        return 0;
    }
    add_number(&b, "bounds broken", figures_count(a, s->n_state[AUDIT_BROKEN]),
               s->n_state[AUDIT_BROKEN] ? TONE_BAD : TONE_PLAIN);
    if (s->n_state[AUDIT_WRONG_IF] + s->n_state[AUDIT_KEPT_IF] + s->n_state[AUDIT_COULD_BREAK] >
        0) {
        add_number(&b, "wrong if the hardware rounds correctly",
                   figures_count(a, s->n_state[AUDIT_WRONG_IF]),
                   s->n_state[AUDIT_WRONG_IF] ? TONE_BAD : TONE_PLAIN);
        add_number(&b, "kept if the hardware rounds correctly",
                   figures_count(a, s->n_state[AUDIT_KEPT_IF]), TONE_PLAIN);
        add_number(&b, "may break if the hardware errs within its bounds",
                   figures_count(a, s->n_state[AUDIT_COULD_BREAK]), TONE_PLAIN);
    }
    add_number(&b, "bounds kept (every argument tried)", figures_count(a, s->n_state[AUDIT_KEPT]),
               TONE_PLAIN);
    add_number(&b, "no violation found (by search)", figures_count(a, s->n_state[AUDIT_NONE_FOUND]),
               TONE_PLAIN);
    add_number(&b, "forms incomplete or not run",
               figures_count(a, s->n_state[AUDIT_INCOMPLETE] + s->n_state[AUDIT_EMPTY]),
               s->n_state[AUDIT_INCOMPLETE] + s->n_state[AUDIT_EMPTY] ? TONE_INFO : TONE_PLAIN);
    add_number(&b, "special values wrong", audit_short_count(a, s->n_special),
               s->n_special ? TONE_BAD : TONE_PLAIN);
    add_number(&b, "signs of zero wrong", audit_short_count(a, s->n_zero_sign),
               s->n_zero_sign ? TONE_BAD : TONE_PLAIN);
    add_number(&b, "breaks of monotonicity", audit_short_count(a, s->n_breaks), TONE_PLAIN);
    add_number(&b, "forms refused", figures_count(a, s->n_state[AUDIT_REFUSED]),
               s->n_state[AUDIT_REFUSED] ? TONE_INFO : TONE_PLAIN);
    add_number(&b, "results not decided", audit_short_count(a, s->n_undecided),
               s->n_undecided ? TONE_INFO : TONE_PLAIN);
    add_number(&b, "rows incomplete or with a problem", figures_count(a, n_open),
               n_open ? TONE_INFO : TONE_PLAIN);
    add_number(&b, "results judged", audit_short_count(a, s->n_judged), TONE_PLAIN);
    add_number(&b, "in all", audit_time_text(a, s->seconds), TONE_PLAIN);
    *out = fact_list_close(&b);
    return 1;
}

/* Put the section of forms that the driver did not compile, each with what it said. */
static void put_refused(const struct page *p, const struct audit *x)
{
    bool is_any = false;
    html_put(p, "<h2 id=\"refused\">Refused</h2>\n");
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const struct audit_row *const row = &x->rows[i];
        for (uint32_t k = 0; k < row->n_forms; k++) {
            if (!row->form[k].is_refused) {
                continue;
            }
            if (!is_any) {
                html_put(p, "<p class=\"note\">Forms that the driver did not compile, with its "
                            "message.</p>\n");
            }
            is_any = true;
            html_put_block(p,
                           arena_printf(p->a, "%s %s, %s", func_rows[row->func].name,
                                        float_formats[row->fmt].name,
                                        row->form[k].name ? row->form[k].name : ""),
                           row->form[k].log);
        }
    }
    if (!is_any) {
        html_put(p, "<p class=\"empty\">None: every form was compiled.</p>\n");
    }
}

/* ---- one row ---- */

static void put_badge(const struct page *p, enum report_tone tone, const char *text)
{
    (void)fprintf(p->f, "<span class=\"badge %s\">%s</span>", html_tone_class[tone], text);
}

/* Put the line that stands for a row while it is folded: badge of its worst state, function and type; then
 * how it was measured, with a link to it. */
static void put_summary(const struct page *p, const struct audit_row *row, const char *id)
{
    enum audit_state const state = audit_get_worst_state(row);
    html_put(p, "<summary>");
    put_badge(p, audit_states[state].tone, audit_states[state].badge);
    if (!audit_is_finished(row)) {
        put_badge(p, TONE_INFO, row->n_done < row->n_inputs ? "incomplete" : "inputs skipped");
    }
    (void)fprintf(p->f,
                  "<h3>%s %s</h3> <span class=\"note\">%s; %s, %s done, %s</span></summary>\n",
                  func_rows[row->func].name, float_formats[row->fmt].name,
                  func_rows[row->func].text, audit_describe_inputs(row, p->a),
                  row->n_done < row->n_inputs ? figures_count(p->a, row->n_done) : "all",
                  audit_time_text(p->a, row->seconds));
    (void)fprintf(p->f,
                  "<p class=\"note\"><a href=\"#%s\">Link to this row</a>. Device %s, judge %s, "
                  "reference: ",
                  id, audit_time_text(p->a, row->device_seconds),
                  audit_time_text(p->a, row->judge_seconds));
    html_put_text(p, row->evaluator && row->evaluator[0] ? row->evaluator : "not named",
                  HTML_LINE_BYTES);
    html_put(p, ".</p>\n");
    if (row->n_skipped > 0) {
        (void)fprintf(p->f,
                      "<p>%s inputs were skipped: the driver failed twice on their blocks.</p>\n",
                      figures_count(p->a, row->n_skipped));
    }
}

/* A table under its title; one without rows is left out. */
static void put_row_table(const struct page *p, const struct report_table *t, const char *id,
                          const char *name)
{
    const char *const label = arena_printf(p->a, "%s-%s", id, name);
    if (t->n_rows > 0) {
        (void)fprintf(p->f, "<p class=\"note\" id=\"%s\">%s</p>\n", label, t->title);
        html_put_grid(p, t, label);
    }
}

/* Put the i-th row, a function on a type: summary, plots and tables, unfolded only if something is wrong in
 * it. 0: the arena is full. */
static int put_row(const struct page *p, const struct audit_row *row, uint32_t i)
{
    struct report_table largest, examples;
    enum audit_state const state = audit_get_worst_state(row);
    bool const is_open = state == AUDIT_BROKEN || state == AUDIT_WRONG || state == AUDIT_WRONG_IF;
    const char *const id = audit_row_id(i, p->a);
    if (!audit_table_largest(&largest, row, p->a) || !audit_table_examples(&examples, row, p->a)) {
        return 0;
    }
    (void)fprintf(p->f, "<article class=\"%s\" id=\"%s\"><details%s>\n",
                  html_tone_class[audit_states[state].tone], id, is_open ? " open" : "");
    put_summary(p, row, id);
    if (row->problem && row->problem[0]) {
        html_put_block(p, "What went wrong", row->problem);
    }
    audit_put_plots(p, row);
    put_row_table(p, &largest, id, "largest");
    put_row_table(p, &examples, id, "wrong");
    html_put(p, "</details></article>\n");
    return 1;
}

static enum res put_rows(const struct page *p, const struct audit *x, struct err *e)
{
    html_put(p, "<h2 id=\"rows\">Functions</h2>\n");
    for (uint32_t i = 0; i < x->n_rows; i++) {
        struct arena_mark const mark = arena_get_mark(p->a);
        if (!put_row(p, &x->rows[i], i)) {
            return err_set(e, RES_NOMEM, "audit.html: no room for row %" PRIu32, i);
        }
        arena_release(p->a, mark);
    }
    return RES_OK;
}

static void put_target(const struct page *p, const struct audit *x)
{
    html_put(p, "<h2 id=\"target\">Target</h2>\n<p>");
    html_put_text(p, x->target, HTML_LINE_BYTES);
    html_put(p, ", started ");
    html_put_text(p, x->started, HTML_LINE_BYTES);
    html_put(p, ", by ");
    html_put_text(p, x->tool_version, HTML_LINE_BYTES);
    html_put(p, " with MPFR ");
    html_put_text(p, x->mpfr, HTML_LINE_BYTES);
    html_put(p, ".</p>\n");
    html_put_block(p, "Properties that the driver reports", x->facts);
}

/* Write an audit as one page of HTML: figures, what is wrong, the table of all forms, what was refused, each
 * function with its plots, and the target. RES_NOMEM: no room for the tables. */
enum res audit_write_html(const struct audit *x, struct arena *a, FILE *f, struct err *e)
{
    static const char *const sections[][2] = {
        {"wrong",    "Wrong results"                      },
        {"own",      "The library's own results"          },
        {"modelled", "Results that depend on the hardware"},
        {"order",    "Order and symmetry"                 },
        {"table",    "Table"                              },
        {"refused",  "Refused"                            },
        {"rows",     "Functions"                          },
        {"target",   "Target"                             }
    };
    struct page const p = {.a = a, .f = f};
    struct audit_sum const s = audit_get_sum(x);
    struct report_facts numbers;
    struct report_table wrong, own, modelled, order, forms;
    if (!make_numbers(&numbers, &s, a) || !audit_table_wrong(&wrong, x, a) ||
        !audit_table_own(&own, x, a) || !audit_table_modelled(&modelled, x, a) ||
        !audit_table_order(&order, x, a) || !audit_table_forms(&forms, x, a)) {
        return err_set(e, RES_NOMEM, "audit.html: no room for its tables");
    }
    struct page_head const head = {.what = "audit",
                                   .title = x->target,
                                   .headline = make_headline(x, &s, a),
                                   .numbers = &numbers,
                                   .style = audit_css};
    html_open_page(&p, &head);
    bool const is_library = own.n_rows + modelled.n_rows > 0;
    for (size_t i = 0; i < ARRAY_N(sections); i++) {
        bool const is_of_library =
            strcmp(sections[i][0], own.id) == 0 || strcmp(sections[i][0], modelled.id) == 0;
        if (is_library || !is_of_library) {
            html_put_section(&p, sections[i][0], sections[i][1]);
        }
    }
    html_open_main(&p);
    if (x->was_stopped || x->was_spent) {
        (void)fprintf(f,
                      "<p>%s before all rows were done. Incomplete forms may still break their "
                      "bounds.</p>\n",
                      x->was_stopped ? "The audit was stopped" : "The time of the audit was over");
    }
    html_put_table(&p, &wrong);
    if (is_library) {
        html_put_table(&p, &own);
        html_put_table(&p, &modelled);
    }
    html_put_table(&p, &order);
    html_put_table(&p, &forms);
    put_refused(&p, x);
    enum res const r = put_rows(&p, x, e);
    put_target(&p, x);
    html_close_page(&p, &head,
                    "Inputs and results are hexadecimal bit patterns, each with its decimal "
                    "number. Errors are certified: a fast filter decides only if its own proven "
                    "error leaves no doubt. MPFR decides all other results.");
    return r;
}
