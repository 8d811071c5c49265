/* fuzz/cli/cmd_audit_rest.c -- what an audit left open: how much of it, about how long it takes, the command that goes on. */
#include "fuzz/cli/cmd_audit_rest.h"

#include <inttypes.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "fuzz/audit/audit_estimate.h"
#include "fuzz/process/progress.h"
#include "reports/audit/audit_view.h"
#include "reports/model/figures.h"

static const double most_s = 1e9; /* 30 years */

static double get_larger(double x, double y)
{
    return x > y ? x : y;
}

/* ---- how long ---- */

/* Of all rows of an audit; *is_known false: at least. */
static double sum_left(const struct audit *x, bool *is_known)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < x->n_rows; i++) {
        double const left_s = audit_estimate_left(x, i);
        *is_known &= left_s >= 0;
        sum_s += get_larger(left_s, 0);
    }
    return sum_s;
}

/* Each target gets an even share of what those before it left: so much that the share of each is enough. */
static double find_budget(const struct audit_rest *rest, bool *is_known)
{
    double before_s = 0, budget_s = 0;
    *is_known = rest->n == rest->n_targets;
    for (uint32_t i = 0; i < rest->n; i++) {
        double const left_s = sum_left(&rest->x[i], is_known);
        budget_s = get_larger(budget_s, before_s + (double)(rest->n_targets - i) * left_s);
        before_s += left_s;
    }
    return budget_s;
}

const char *cmd_audit_rest_time(const struct audit_rest *rest, struct arena *a)
{
    static const double slack = 1.25; /* an estimate is no promise */
    static const uint64_t most_minutes = 120;
    bool is_known = true;
    double budget_s = find_budget(rest, &is_known) * slack;
    if (!is_known) {
        budget_s = get_larger(budget_s, 2e-9 * (double)rest->budget_ns);
    }
    uint64_t const minutes = 1 + (uint64_t)((budget_s < most_s ? budget_s : most_s) / 60);
    return minutes <= most_minutes ? arena_printf(a, "%" PRIu64 "m", minutes)
                                   : arena_printf(a, "%" PRIu64 "h", (minutes + 59) / 60);
}

/* ---- what ---- */

static bool is_open(const struct audit_row *row)
{
    bool is = row->n_done < row->n_inputs;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        enum audit_state const state = audit_get_state(row, i);
        is |= state == AUDIT_INCOMPLETE || state == AUDIT_EMPTY;
    }
    return is;
}

/* What a row that is_open lacks: "26 % tried, about 4 min more". Where every input was tried, the row is open for
 * what was skipped or not decided. left_s < 0: nothing was measured from which the time could be estimated. */
static const char *tell_row(const struct audit *x, uint32_t i, struct arena *a)
{
    const struct audit_row *const row = &x->rows[i];
    double const left_s = audit_estimate_left(x, i);
    double const share = row->n_inputs ? 100.0 * (double)row->n_done / (double)row->n_inputs : 0;
    char time[PROGRESS_TIME_BYTES];
    if (row->n_done >= row->n_inputs) {
        uint64_t n_undecided = 0;
        for (uint32_t k = 0; k < row->n_forms; k++) {
            n_undecided = figures_sum(n_undecided, row->result[k].n_undecided);
        }
        return arena_printf(
            a,
            "all tried, but %" PRIu64 " inputs were skipped and %" PRIu64
            " results could not be judged; continuing the audit does not change this",
            row->n_skipped, n_undecided);
    }
    const char *const tried = row->n_done == 0 ? "nothing"
                              : share < 1      ? "less than 1 %"
                                               : arena_printf(a, "%" PRIu64 " %%", (uint64_t)share);
    if (left_s < 0) {
        return arena_printf(a, "%s tried, remaining time unknown", tried);
    }
    uint64_t const ns = (uint64_t)((left_s < most_s ? left_s : most_s) * 1e9);
    return arena_printf(a, "%s tried, about %s more", tried, progress_time(time, ns));
}

static const char *say_why(const struct audit_rest *rest)
{
    const char *why = "incomplete";
    for (uint32_t i = 0; i < rest->n; i++) {
        why = rest->x[i].was_spent ? "time spent" : why;
    }
    for (uint32_t i = 0; i < rest->n; i++) {
        why = rest->x[i].was_stopped ? "stopped" : why;
    }
    return why;
}

void cmd_audit_rest_print(const struct audit_rest *rest, const struct cli *c, struct arena *a,
                          FILE *f)
{
    uint32_t n_open = 0, n_rows = 0;
    /* Would going on change something? It does not change a row that is open with all inputs tried. */
    bool goes_on = rest->n < rest->n_targets;
    for (uint32_t i = 0; i < rest->n; i++) {
        for (uint32_t k = 0; k < rest->x[i].n_rows; k++) {
            const struct audit_row *const row = &rest->x[i].rows[k];
            n_open += is_open(row);
            goes_on |= row->n_done < row->n_inputs;
        }
        n_rows += rest->x[i].n_rows;
    }
    if (n_open > 0) {
        printable_print(f, "%s: %" PRIu32 " of %" PRIu32 " rows %s incomplete\n", say_why(rest),
                        n_open, n_rows, n_open == 1 ? "is" : "are");
    }
    for (uint32_t i = 0; i < rest->n; i++) {
        const struct audit *const x = &rest->x[i];
        for (uint32_t k = 0; k < x->n_rows; k++) {
            if (is_open(&x->rows[k])) {
                printable_print(f, "  %s %s on %s: %s\n", func_rows[x->rows[k].func].name,
                                float_formats[x->rows[k].fmt].name, x->target, tell_row(x, k, a));
            }
        }
    }
    if (goes_on) {
        printable_print(f, "to continue: %s\n",
                        rest->budget_ns ? cli_say_with(c, "for", cmd_audit_rest_time(rest, a), a)
                                        : cli_say_again(c, a));
    }
}
