/* reports/model/report_bugs.c -- the bugs of a report, a line each: the new ones first, the worst first. */
#include "reports/model/report_bugs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "oracle/tables/tables.h"
#include "reports/model/figures.h"

enum {
    DATE_BYTES = 10 /* of "2026-11-25 16:30:00 UTC" */
};

const struct report_shelf_row report_shelves[REPORT_SHELF_N] = {
    [SHELF_NEW] = {"new",   "New bugs"              },
    [SHELF_OPEN] = {"open",  "Open bugs, seen before"},
    [SHELF_ASIDE] = {"aside", "Known bugs, set aside" },
};

/* What a bug without a title is called: what is wrong, and with which instruction. */
static const char *make_title(const struct report_finding *x, struct arena *a)
{
    const struct campaign_finding *const f = x->raw;
    int const kind = verdict_find(f->verdict ? f->verdict : "");
    const char *const what =
        kind < 0 ? (f->verdict ? f->verdict : "a violation") : verdict_rows[kind].text;
    bool const has_op = f->op && f->op[0] && strcmp(f->op, "-") != 0;
    bool const has_type = f->type && f->type[0] && strcmp(f->type, "-") != 0;
    return arena_printf(a, "%s: %s%s%s%s%s%s", x->target && x->target->name ? x->target->name : "?",
                        has_op ? f->op : "", has_op && has_type ? " (" : "",
                        has_op && has_type ? f->type : "", has_op && has_type ? ")" : "",
                        has_op ? ": " : "", what);
}

/* Of the targets that ran the same case, another one that shows it, once. */
static bool is_also(const struct campaign_triage *t, uint32_t i, const char *own)
{
    const struct matrix_row *const row = &t->matrix[i];
    bool is_it = row->n_shown > 0 && row->target && strcmp(row->target, own) != 0 &&
                 (!row->with || !row->with[0]);
    for (uint32_t k = 0; k < i && is_it; k++) {
        is_it = strcmp(t->matrix[k].target ? t->matrix[k].target : "", row->target) != 0;
    }
    return is_it;
}

/* "lavapipe; also lavapipe-25, lavapipe-26" */
static const char *list_targets(const struct report_finding *x, struct arena *a)
{
    const struct campaign_triage *const t = x->raw->triage;
    const char *const own = x->target && x->target->name ? x->target->name : "?";
    const char *text = own;
    uint32_t n = 0;
    for (uint32_t i = 0; t && i < t->n_matrix; i++) {
        if (is_also(t, i, own)) {
            text =
                arena_printf(a, "%s%s%s", text, n++ == 0 ? "; also " : ", ", t->matrix[i].target);
        }
    }
    return text;
}

static enum report_shelf shelf_of(const struct campaign *c, const struct campaign_finding *f)
{
    return campaign_is_new(c, f)                  ? SHELF_NEW
           : f->expected || campaign_is_closed(f) ? SHELF_ASIDE
                                                  : SHELF_OPEN;
}

static const char *state_of(const struct campaign *c, const struct campaign_finding *f,
                            struct arena *a)
{
    const struct bug_state *const s = f->state;
    if (f->is_back) {
        return s->kind == BUG_STATE_FIXED ? arena_printf(a, "back, was fixed in %s", s->detail)
                                          : "back, was not seen any more";
    }
    if (f->expected) {
        return "known";
    }
    if (s) {
        return arena_printf(a, "%s%s%s", bug_state_names[s->kind], s->detail[0] ? " " : "",
                            s->detail);
    }
    return campaign_is_new(c, f) ? "new" : "open";
}

static const char *since_of(const struct campaign *c, const struct campaign_finding *f,
                            struct arena *a)
{
    if (!f->since && f->baseline == BASELINE_THERE) {
        return "an earlier campaign";
    }
    const char *const night = f->since ? f->since : c->started ? c->started : "";
    return arena_printf(a, "%.*s", DATE_BYTES, printable_copy_line(a, night));
}

static const char *cases_of(const struct report_finding *x, struct arena *a)
{
    uint64_t const n = x->raw->n_cases;
    return n > 0 ? arena_printf(a, "%s %s", figures_count(a, n), n == 1 ? "case" : "cases")
                 : arena_printf(a, "%s %s", figures_count(a, x->n_all),
                                x->n_all == 1 ? "finding" : "findings");
}

static void fill_triage(struct report_bug *b, const struct campaign_triage *t, struct arena *a)
{
    b->shown = "not run again yet";
    b->size = "";
    if (!t) {
        return;
    }
    b->shown = arena_printf(a, "%" PRIu32 " of %" PRIu32 " runs", t->n_shown, t->n_runs);
    if (t->n_before > 0) {
        b->size = arena_printf(a, "%" PRIu32 " %s", t->n_after,
                               t->n_after == 1 ? "instruction" : "instructions");
    }
}

static void fill_bug(struct report_bug *b, const struct report_view *v, uint32_t i, struct arena *a)
{
    const struct report_finding *const x = &v->findings[i];
    const struct campaign_finding *const f = x->raw;
    struct campaign_harm const harm = campaign_get_harm(f);
    *b = (struct report_bug){.at = i,
                             .shelf = shelf_of(v->c, f),
                             .rank = harm.rank,
                             .number = arena_printf(a, "#%" PRId64, f->id),
                             .title = f->title && f->title[0] ? f->title : make_title(x, a),
                             .harm = harm.text,
                             .targets = list_targets(x, a),
                             .state = state_of(v->c, f, a),
                             .since = since_of(v->c, f, a),
                             .cases = cases_of(x, a),
                             .remark = f->state      ? f->state->note
                                       : f->expected ? f->expected->note
                                                     : "",
                             .folder = x->folder};
    fill_triage(b, f->triage, a);
}

/* A bug with what it is sorted by besides. */
struct sorted_bug {
    struct report_bug bug;
    const struct campaign_finding *raw;
};

static int compare_bugs(const void *p, const void *q)
{
    const struct sorted_bug *const x = p, *const y = q;
    if (x->bug.shelf != y->bug.shelf) {
        return x->bug.shelf < y->bug.shelf ? -1 : 1;
    }
    return campaign_compare_bugs(x->raw, y->raw);
}

static bool is_bug(const struct report_finding *x, uint32_t i)
{
    return x->head == i &&
           (x->group == GROUP_VIOLATION || x->group == GROUP_FLAKY || x->group == GROUP_SUPPRESSED);
}

int report_bugs_make(struct report_view *v, struct arena *a)
{
    struct sorted_bug *const sorted = ARENA_NEW(a, struct sorted_bug, (size_t)v->n_findings + 1);
    struct report_bug *const bugs = ARENA_NEW(a, struct report_bug, (size_t)v->n_findings + 1);
    uint32_t n = 0;
    if (!sorted || !bugs) {
        return 0;
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        if (is_bug(&v->findings[i], i)) {
            fill_bug(&sorted[n].bug, v, i, a);
            sorted[n++].raw = v->findings[i].raw;
        }
    }
    qsort(sorted, n, sizeof sorted[0], compare_bugs);
    for (uint32_t i = 0; i < n; i++) {
        bugs[i] = sorted[i].bug;
        v->n_shelf[bugs[i].shelf]++;
    }
    v->n_bugs = n;
    v->bugs = bugs;
    return 1;
}
