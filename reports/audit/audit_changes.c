/* reports/audit/audit_changes.c -- what changed between two audits: of two versions or two drivers. */
#include "reports/audit/audit_changes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "reports/audit/audit_lines.h"
#include "reports/audit/audit_view.h"
#include "reports/model/figures.h"
#include "reports/write/escape.h"

/* Two blanks and a blank between: 119 columns. */
enum {
    CHANGES_ARENA = 64 << 20,
    NAME_COLUMNS = 31,
    STATE_COLUMNS = 17,
    ERROR_COLUMNS = 24,
    ROUNDED_COLUMNS = 18
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
    [CHANGE_BROKEN] = "NEWLY BROKEN",
    [CHANGE_KEPT] = "KEPT AGAIN",
    [CHANGE_REFUSED] = "REFUSED NOW",
    [CHANGE_COMPILED] = "COMPILED NOW",
    [CHANGE_GONE] = "GONE",
    [CHANGE_NEW] = "NEW",
    [CHANGE_LARGER] = "LARGER ERRORS",
    [CHANGE_SMALLER] = "SMALLER ERRORS",
    [CHANGE_OTHER] = "OTHER CHANGES",
    [CHANGE_NONE] = "UNCHANGED",
};

/* A form of a row; row is NULL where the audit lacks it. */
struct spot {
    const struct audit_row *row;
    uint32_t form;
};
struct pair {
    struct spot old, now;
};

static const char *name_of(const struct spot *p)
{
    const char *const name = p->row->form[p->form].name;
    return name ? name : "";
}

static struct spot find_form(const struct audit *x, const struct spot *like)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        struct spot p = {&x->rows[i], 0};
        if (p.row->func != like->row->func || p.row->fmt != like->row->fmt) {
            continue;
        }
        for (; p.form < p.row->n_forms; p.form++) {
            if (strcmp(name_of(&p), name_of(like)) == 0) {
                return p;
            }
        }
    }
    return (struct spot){NULL, 0};
}

static double largest(const struct spot *p)
{
    const struct sweep_result *const r = &p->row->result[p->form];
    double const above = fabs(r->above.error);
    double const below = fabs(r->below.error);
    return above > below ? above : below;
}

static int is_same(double x, double y)
{
    return !(x < y) && !(x > y);
}

static int has_other_change(const struct pair *p)
{
    const struct sweep_result *const x = &p->old.row->result[p->old.form];
    const struct sweep_result *const y = &p->now.row->result[p->now.form];
    const struct audit_bound *const b = &p->old.row->bound[p->old.form];
    const struct audit_bound *const c = &p->now.row->bound[p->now.form];
    return x->n != y->n || x->n_rounded != y->n_rounded || x->n_special != y->n_special ||
           x->n_zero_sign != y->n_zero_sign || x->n_breaks != y->n_breaks ||
           x->n_broken != y->n_broken || x->n_flushed != y->n_flushed ||
           !is_same(x->above.error, y->above.error) || !is_same(x->below.error, y->below.error) ||
           b->has_bound != c->has_bound || b->bound.anything != c->bound.anything ||
           !is_same(b->bound.ulp, c->bound.ulp) || !is_same(b->bound.absolute, c->bound.absolute);
}

static int is_bad(enum audit_state s)
{
    return s == AUDIT_BROKEN || s == AUDIT_WRONG;
}

static enum change compare(const struct pair *p)
{
    if (!p->old.row) {
        return CHANGE_NEW;
    }
    if (!p->now.row) {
        return CHANGE_GONE;
    }
    enum audit_state const old = audit_get_state(p->old.row, p->old.form);
    enum audit_state const now = audit_get_state(p->now.row, p->now.form);
    if (old != now && (old == AUDIT_REFUSED || now == AUDIT_REFUSED)) {
        return now == AUDIT_REFUSED ? CHANGE_REFUSED : CHANGE_COMPILED;
    }
    if (now == AUDIT_EMPTY || old == AUDIT_EMPTY) {
        return now == old ? CHANGE_NONE : now == AUDIT_EMPTY ? CHANGE_GONE : CHANGE_NEW;
    }
    if (is_bad(now) && now > old) {
        return CHANGE_BROKEN;
    }
    if (is_bad(old) && now < old) {
        return CHANGE_KEPT;
    }
    if (!is_same(largest(&p->now), largest(&p->old))) {
        return largest(&p->now) > largest(&p->old) ? CHANGE_LARGER : CHANGE_SMALLER;
    }
    return has_other_change(p) ? CHANGE_OTHER : CHANGE_NONE;
}

/* The pair at one position: all forms of `now`, then those that `old` alone has. 0 at the end. */
static int take_pair(const struct audit *old, const struct audit *now, uint32_t *at_row,
                     uint32_t *at_form, struct pair *out)
{
    for (;;) {
        int const is_old = *at_row >= now->n_rows;
        uint32_t const i = is_old ? *at_row - now->n_rows : *at_row;
        const struct audit *const x = is_old ? old : now;
        if (is_old && i >= old->n_rows) {
            return 0;
        }
        if (*at_form >= x->rows[i].n_forms) {
            *at_form = 0;
            (*at_row)++;
            continue;
        }
        struct spot const p = {&x->rows[i], (*at_form)++};
        struct spot const other = find_form(is_old ? now : old, &p);
        if (is_old && other.row) {
            continue; /* has come already */
        }
        *out = is_old ? (struct pair){p, other} : (struct pair){other, p};
        return 1;
    }
}

static void put_name(const struct spot *p, FILE *f)
{
    lines_put(func_rows[p->row->func].name, 10, LINES_LEFT, f);
    (void)fprintf(f, " %s ", float_formats[p->row->fmt].name);
    lines_put(name_of(p), 16, LINES_LEFT, f);
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
    lines_put(text, width, width == ROUNDED_COLUMNS ? LINES_LAST : LINES_LEFT, f);
}

static void put_counts(const char *what, uint64_t old, uint64_t now, struct arena *a, FILE *f)
{
    if (old != now) {
        (void)fprintf(f, "; %s %s > %s", what, figures_count(a, old), figures_count(a, now));
    }
}

static void put_details(const struct pair *p, struct arena *a, FILE *f)
{
    const struct sweep_result *const x = &p->old.row->result[p->old.form];
    const struct sweep_result *const y = &p->now.row->result[p->now.form];
    const char *const bound_old = audit_bound_text(a, &p->old.row->bound[p->old.form]);
    const char *const bound_now = audit_bound_text(a, &p->now.row->bound[p->now.form]);
    const struct sweep_worst *const w =
        fabs(y->above.error) >= fabs(y->below.error) ? &y->above : &y->below;
    (void)fprintf(f, "    now worst at %s", audit_args_text(a, p->now.row, w->arg, AUDIT_HEX));
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

static void put_pair(const struct pair *p, struct arena *a, FILE *f)
{
    const struct spot *const any = p->now.row ? &p->now : &p->old;
    (void)fputs("  ", f);
    put_name(any, f);
    if (!p->old.row || !p->now.row) {
        const struct sweep_result *const r = &any->row->result[any->form];
        (void)fprintf(f, " %s, %s, %s\n", audit_states[audit_get_state(any->row, any->form)].word,
                      audit_error_text(a, r->above.error, 5),
                      audit_error_text(a, r->below.error, 5));
        return;
    }
    const struct sweep_result *const x = &p->old.row->result[p->old.form];
    const struct sweep_result *const y = &p->now.row->result[p->now.form];
    put_both(audit_states[audit_get_state(p->old.row, p->old.form)].word,
             audit_states[audit_get_state(p->now.row, p->now.form)].word, STATE_COLUMNS, f);
    put_both(audit_error_text(a, x->above.error, 5), audit_error_text(a, y->above.error, 5),
             ERROR_COLUMNS, f);
    put_both(audit_error_text(a, x->below.error, 5), audit_error_text(a, y->below.error, 5),
             ERROR_COLUMNS, f);
    put_both(audit_share_text(a, x->n_rounded, x->n_numbers),
             audit_share_text(a, y->n_rounded, y->n_numbers), ROUNDED_COLUMNS, f);
    (void)fputc('\n', f);
    if (p->now.row->result[p->now.form].n > 0) {
        put_details(p, a, f);
    }
}

static void put_head(const char *label, const struct audit *x, FILE *f)
{
    (void)fputs(label, f);
    report_put_text(REPORT_TEXT, x->target, f);
    (void)fputs(", ", f);
    report_put_text(REPORT_TEXT, x->started, f);
    (void)fputs("; halfulp ", f);
    report_put_text(REPORT_TEXT, x->tool_version, f);
    (void)fputc('\n', f);
}

void audit_print_changes(const struct audit *old, const struct audit *now, FILE *f)
{
    uint64_t n[CHANGE_N] = {0};
    struct pair p;
    struct arena a;
    arena_init(&a, CHANGES_ARENA);
    put_head("Old: ", old, f);
    put_head("Now: ", now, f);
    for (uint32_t row = 0, form = 0; take_pair(old, now, &row, &form, &p);) {
        n[compare(&p)]++;
    }
    for (int kind = 0; kind < CHANGE_NONE; kind++) {
        if (n[kind] == 0) {
            continue;
        }
        (void)fprintf(f, "\n%s (%" PRIu64 ")\n", change_titles[kind], n[kind]);
        (void)fprintf(f, "  %-*s %-*s %-*s %-*s %s\n", NAME_COLUMNS, "", STATE_COLUMNS, "",
                      ERROR_COLUMNS, "above", ERROR_COLUMNS, "below", "rounded");
        for (uint32_t row = 0, form = 0; take_pair(old, now, &row, &form, &p);) {
            if (compare(&p) == (enum change)kind) {
                put_pair(&p, &a, f);
                arena_reset(&a);
            }
        }
    }
    (void)fprintf(f, "\n%s: %" PRIu64 "%s\n", change_titles[CHANGE_NONE], n[CHANGE_NONE],
                  n[CHANGE_NONE] == 1 ? " form" : " forms");
    arena_free(&a);
}
