/* reports/audit/audit_changes.c -- what changed between two audits: of two versions or two drivers. */
#include "reports/audit/audit_changes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_column.h"
#include "reports/audit/audit_lines.h"
#include "reports/audit/audit_view.h"
#include "reports/model/figures.h"
#include "reports/write/report_put.h"

/* Two blanks and a blank between: 119 columns. */
enum {
    CHANGES_ARENA = 64 << 20,
    NAME_COLUMNS = 31,
    STATE_COLUMNS = 17,
    ERROR_COLUMNS = 24,
    ROUNDED_COLUMNS = 18,
    ERROR_DIGITS = 5
};

/* What can be said of a form that both audits have, or one; the first that applies. */
enum change {
    CHANGE_BROKEN, /* a bound that was kept, or values that were right */
    CHANGE_KEPT,   /* the other way round */
    CHANGE_REFUSED,
    CHANGE_COMPILED,
    CHANGE_GONE,
    CHANGE_NEW,
    CHANGE_LARGER, /* largest error */
    CHANGE_SMALLER,
    CHANGE_OTHER, /* the share correctly rounded, counts of wrong values, the bound itself */
    CHANGE_NONE
};
enum {
    CHANGE_N = 10
};
static const char *const change_titles[CHANGE_N] = {
    [CHANGE_BROKEN] = "NEWLY BROKEN",    [CHANGE_KEPT] = "NO LONGER WRONG",
    [CHANGE_REFUSED] = "REFUSED NOW",    [CHANGE_COMPILED] = "COMPILED NOW",
    [CHANGE_GONE] = "NOT IN THIS AUDIT", [CHANGE_NEW] = "NEW",
    [CHANGE_LARGER] = "LARGER ERRORS",   [CHANGE_SMALLER] = "SMALLER ERRORS",
    [CHANGE_OTHER] = "OTHER CHANGES",    [CHANGE_NONE] = "UNCHANGED",
};

/* One form, as both audits have it; a row is NULL where the audit lacks it. */
struct pair {
    struct audit_entry old, now;
};

static const struct sweep_result *result_of(const struct audit_entry *p)
{
    return &p->row->result[p->form];
}

static const struct audit_bound *bound_of(const struct audit_entry *p)
{
    return &p->row->bound[p->form];
}

static enum audit_state state_of(const struct audit_entry *p)
{
    return audit_get_state(p->row, p->form);
}

static struct audit_entry find_form(const struct audit *x, const struct audit_entry *like)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        struct audit_entry p = {.row = &x->rows[i]};
        if (p.row->func != like->row->func || p.row->fmt != like->row->fmt) {
            continue;
        }
        for (; p.form < p.row->n_forms; p.form++) {
            if (strcmp(audit_name_form(&p), audit_name_form(like)) == 0) {
                return p;
            }
        }
    }
    return (struct audit_entry){.row = NULL};
}

static double get_largest_error(const struct audit_entry *p)
{
    return fmax(fabs(result_of(p)->above.error), fabs(result_of(p)->below.error));
}

/* Two NaNs are the same as well. */
static bool is_same(double x, double y)
{
    return !(x < y) && !(x > y);
}

static bool has_same_counts(const struct sweep_result *x, const struct sweep_result *y)
{
    return x->n == y->n && x->n_rounded == y->n_rounded && x->n_special == y->n_special &&
           x->n_zero_sign == y->n_zero_sign && x->n_breaks == y->n_breaks &&
           x->n_broken == y->n_broken && x->n_flushed == y->n_flushed;
}

static bool has_same_bound(const struct audit_bound *x, const struct audit_bound *y)
{
    return x->has_bound == y->has_bound && x->bound.anything == y->bound.anything &&
           is_same(x->bound.ulp, y->bound.ulp) && is_same(x->bound.absolute, y->bound.absolute);
}

static bool has_same_sides(const struct sweep_result *x, const struct sweep_result *y)
{
    return is_same(x->above.error, y->above.error) && is_same(x->below.error, y->below.error);
}

static bool is_bad(enum audit_state s)
{
    return s == AUDIT_BROKEN || s == AUDIT_WRONG || s == AUDIT_WRONG_IF;
}

/* What has changed of a form between two audits; where several things have, the first of: only one audit has
 * it or has results of it; it was refused or is now compiled; its state became worse or better (a greater
 * state is worse); its largest error; anything else. */
static enum change compare(const struct pair *p)
{
    if (!p->old.row || !p->now.row) {
        return p->now.row ? CHANGE_NEW : CHANGE_GONE;
    }
    enum audit_state const old = state_of(&p->old);
    enum audit_state const now = state_of(&p->now);
    if (old != now && (old == AUDIT_REFUSED || now == AUDIT_REFUSED)) {
        return now == AUDIT_REFUSED ? CHANGE_REFUSED : CHANGE_COMPILED;
    }
    if (now == AUDIT_EMPTY) { /* no results of it now */
        return old == AUDIT_EMPTY ? CHANGE_NONE : CHANGE_GONE;
    }
    if (old == AUDIT_EMPTY) {
        return CHANGE_NEW;
    }
    if (is_bad(now) && now > old) {
        return CHANGE_BROKEN;
    }
    if (is_bad(old) && now < old) {
        /* what was wrong may just not be tried */
        bool const is_less = now == AUDIT_INCOMPLETE ||
                             (now == AUDIT_NONE_FOUND && p->old.row->depth == AUDIT_EXHAUSTIVE);
        return is_less ? CHANGE_OTHER : CHANGE_KEPT;
    }
    double const largest_old = get_largest_error(&p->old);
    double const largest_now = get_largest_error(&p->now);
    if (!is_same(largest_now, largest_old)) {
        return largest_now > largest_old ? CHANGE_LARGER : CHANGE_SMALLER;
    }
    const struct sweep_result *const x = result_of(&p->old), *const y = result_of(&p->now);
    bool const is_alike = has_same_counts(x, y) && has_same_sides(x, y) &&
                          has_same_bound(bound_of(&p->old), bound_of(&p->now));
    return is_alike ? CHANGE_NONE : CHANGE_OTHER;
}

/* Pair the forms of two audits, a function on a type in a form each: all of `now`, with no partner where
 * `old` lacks it, then those that `old` alone has. Returns how many pairs. */
static uint32_t list_pairs(const struct audit *old, const struct audit *now, struct pair *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < now->n_rows; i++) {
        for (uint32_t k = 0; k < now->rows[i].n_forms; k++) {
            struct audit_entry const p = {.row = &now->rows[i], .form = k};
            out[n++] = (struct pair){find_form(old, &p), p};
        }
    }
    for (uint32_t i = 0; i < old->n_rows; i++) {
        for (uint32_t k = 0; k < old->rows[i].n_forms; k++) {
            struct audit_entry const p = {.row = &old->rows[i], .form = k};
            struct audit_entry const other = find_form(now, &p);
            if (!other.row) {
                out[n++] = (struct pair){p, other};
            }
        }
    }
    return n;
}

static void put_name(const struct audit_entry *p, FILE *f)
{
    audit_lines_put(func_rows[p->row->func].name, 10, LINES_LEFT, f);
    (void)fprintf(f, " %s ", float_formats[p->row->fmt].name);
    audit_lines_put(audit_name_form(p), 16, LINES_LEFT, f);
}

/* "old > now", or one of them where both are alike. */
static void put_both(const char *old, const char *now, unsigned width, FILE *f)
{
    char text[64];
    if (strcmp(old, now) == 0) {
        (void)snprintf(text, sizeof text, "%s", now);
    } else {
        (void)snprintf(text, sizeof text, "%s > %s", old, now);
    }
    (void)fputc(' ', f);
    audit_lines_put(text, width, width == ROUNDED_COLUMNS ? LINES_LAST : LINES_LEFT, f);
}

static void put_counts(const char *what, uint64_t old, uint64_t now, struct arena *a, FILE *f)
{
    if (old != now) {
        (void)fprintf(f, "; %s %s > %s", what, figures_count(a, old), figures_count(a, now));
    }
}

static void put_details(const struct pair *p, struct arena *a, FILE *f)
{
    const struct sweep_result *const x = result_of(&p->old), *const y = result_of(&p->now);
    const char *const bound_old = audit_bound_text(a, bound_of(&p->old));
    const char *const bound_now = audit_bound_text(a, bound_of(&p->now));
    bool const is_above = fabs(y->above.error) >= fabs(y->below.error);
    const struct sweep_worst *const worst = is_above ? &y->above : &y->below;
    (void)fprintf(f, "    now worst at %s",
                  audit_args_text(a, p->now.row, worst->arg, AUDIT_HEX_AND_DECIMAL));
    put_counts("outside the bound", x->n_broken, y->n_broken, a, f);
    put_counts("wrong values", x->n_special, y->n_special, a, f);
    put_counts("wrong zeros", x->n_zero_sign, y->n_zero_sign, a, f);
    put_counts("breaks", x->n_breaks, y->n_breaks, a, f);
    put_counts("flushed", x->n_flushed, y->n_flushed, a, f);
    put_counts("inputs", x->n, y->n, a, f);
    if (strcmp(bound_old, bound_now) != 0) {
        (void)fprintf(f, "; bound %s > %s", bound_old, bound_now);
    }
    (void)fputc('\n', f);
}

/* Print a line about a form that has changed: state, largest errors and share of correctly rounded results,
 * each as "old > now" where they differ; of a form that one audit alone has, just its own. */
static void put_pair(const struct pair *p, struct arena *a, FILE *f)
{
    const struct audit_entry *const any = p->now.row ? &p->now : &p->old;
    (void)fputs("  ", f);
    put_name(any, f);
    if (!p->old.row || !p->now.row) {
        const struct sweep_result *const r = result_of(any);
        (void)fprintf(f, " %s, %s, %s\n", audit_states[state_of(any)].word,
                      audit_error_text(a, r->above.error, ERROR_DIGITS),
                      audit_error_text(a, r->below.error, ERROR_DIGITS));
        return;
    }
    const struct sweep_result *const x = result_of(&p->old), *const y = result_of(&p->now);
    put_both(audit_states[state_of(&p->old)].word, audit_states[state_of(&p->now)].word,
             STATE_COLUMNS, f);
    put_both(audit_error_text(a, x->above.error, ERROR_DIGITS),
             audit_error_text(a, y->above.error, ERROR_DIGITS), ERROR_COLUMNS, f);
    put_both(audit_error_text(a, x->below.error, ERROR_DIGITS),
             audit_error_text(a, y->below.error, ERROR_DIGITS), ERROR_COLUMNS, f);
    put_both(audit_share_text(a, x->n_rounded, x->n_numbers),
             audit_share_text(a, y->n_rounded, y->n_numbers), ROUNDED_COLUMNS, f);
    (void)fputc('\n', f);
    if (y->n > 0) { /* without results there is nothing to tell more of */
        put_details(p, a, f);
    }
}

static void put_head(const char *label, const struct audit *x, FILE *f)
{
    (void)fputs(label, f);
    report_put_text(REPORT_TEXT, x->target, f);
    (void)fputs(", ", f);
    report_put_text(REPORT_TEXT, x->started, f);
    (void)fputs("; ", f);
    report_put_text(REPORT_TEXT, x->tool_version, f);
    (void)fputc('\n', f);
}

/* The forms of one kind of change, which there are n of, under its title. */
static void put_kind(enum change kind, const struct pair *pairs, uint32_t n_pairs, uint64_t n,
                     struct arena *a, FILE *f)
{
    (void)fprintf(f, "\n%s (%" PRIu64 ")\n", change_titles[kind], n);
    (void)fprintf(f, "  %-*s %-*s %-*s %-*s %s\n", NAME_COLUMNS, "", STATE_COLUMNS, "",
                  ERROR_COLUMNS, "above", ERROR_COLUMNS, "below", "rounded");
    for (uint32_t i = 0; i < n_pairs; i++) {
        if (compare(&pairs[i]) == kind) {
            struct arena_mark const mark = arena_get_mark(a);
            put_pair(&pairs[i], a, f);
            arena_release(a, mark);
        }
    }
}

/* Print what has changed from one audit to another, kind of change by kind, the bad ones first, and at the
 * end how many forms have not changed. It is silent of pairs where there is no memory for them. */
void audit_print_changes(const struct audit *old, const struct audit *now, FILE *f)
{
    uint64_t n[CHANGE_N] = {0};
    struct arena a;
    arena_init(&a, CHANGES_ARENA);
    put_head("Old: ", old, f);
    put_head("Now: ", now, f);
    uint64_t const n_forms = audit_get_sum(old).n_forms + audit_get_sum(now).n_forms;
    struct pair *const pairs = ARENA_NEW(&a, struct pair, n_forms);
    uint32_t const n_pairs = pairs ? list_pairs(old, now, pairs) : 0;
    for (uint32_t i = 0; i < n_pairs; i++) {
        n[compare(&pairs[i])]++;
    }
    for (int kind = 0; kind < CHANGE_NONE; kind++) {
        if (n[kind] > 0) {
            put_kind((enum change)kind, pairs, n_pairs, n[kind], &a, f);
        }
    }
    (void)fprintf(f, "\n%s: %" PRIu64 "%s\n", change_titles[CHANGE_NONE], n[CHANGE_NONE],
                  n[CHANGE_NONE] == 1 ? " form" : " forms");
    arena_free(&a);
}
