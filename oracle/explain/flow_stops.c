/* oracle/explain/flow_stops.c -- the fault FLOW_STOPS: in or after a loop with an atomic that others of its work-group leave
 * earlier, an invocation stops and does nothing more. The first interpretation finds the last access of each invocation that
 * certainly was done, as its probe has changed; in the second one all later accesses may be missing. */
#include "oracle/explain/explain_policy.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "oracle/explain/flow_run.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/math/accuracy.h"
#include "oracle/modorder/mo.h"

/* An access that may be missing. */
struct missing {
    uint32_t event, cell;
    struct val before; /* the value of the cell before it */
};

struct stops {
    struct hypothesis *s;
    const struct flow_run *run;
    enum flow_where where;
    /* By invocation: the number of accesses to memory so far; the number of the last access that certainly was done;
     * it has reached a program point at which it may stop; it has stopped. */
    uint32_t *n_done, *last_done;
    bool *may_stop, *has_stopped;
    struct missing *missing; /* in the order of events */
    uint32_t n_missing, cap_missing;
};

static bool on_begin(void *state, struct judge *j)
{
    struct stops *const p = state;
    uint32_t const n = p->run->flow.n_items;
    (void)j;
    memset(p->n_done, 0, sizeof *p->n_done * n);
    memset(p->may_stop, 0, sizeof *p->may_stop * n);
    memset(p->has_stopped, 0, sizeof *p->has_stopped * n);
    if (!p->run->is_known) {
        memset(p->last_done, 0, sizeof *p->last_done * n);
    }
    p->n_missing = 0;
    return true;
}

/* May the current access of the invocation be missing? */
static bool may_be_missing(const struct stops *p, const struct invocation *inv)
{
    uint32_t const at = inv->global_index;
    return p->may_stop[at] && p->n_done[at] > p->last_done[at];
}

/* Counts an access to a cell, and keeps it if it may be missing. */
static void count_access(struct stops *p, struct judge *j, const struct policy_site *site)
{
    p->n_done[site->inv->global_index]++;
    if (!may_be_missing(p, site->inv)) {
        return;
    }
    struct missing *const all =
        arena_grow(j->a, p->missing, p->n_missing, &p->cap_missing, sizeof *all);
    if (!all) {
        (void)exec_stop(&j->x, "arena full");
        return;
    }
    p->missing = all;
    all[p->n_missing++] = (struct missing){.event = j->memory.n_events - 1,
                                           .cell = (uint32_t)(site->cell - j->memory.cells),
                                           .before = site->cell->cur};
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct stops *const p = state;
    uint32_t const at = site->inv ? site->inv->global_index : 0;
    if (site->kind == SITE_BLOCK) {
        p->may_stop[at] |=
            p->run->is_known && fault_flow_is_at(&p->run->flow, &j->m, site->inv, p->where);
    } else if (site->kind == SITE_PROBE) {
        p->n_done[at]++;
        p->last_done[at] =
            !p->run->is_known && !site->is_unchanged ? p->n_done[at] : p->last_done[at];
    } else if (site->kind == SITE_ACCESS) {
        count_access(p, j, site);
    }
}

/* Is the final value of a private location the value before an access that may be missing? */
static bool explains_final(const struct stops *p, const struct judge *j, const struct observed *o,
                           struct val v)
{
    bool const is_right = hypothesis_permits(&j->x, v, o->got);
    for (uint32_t i = 0; i < p->n_missing && !is_right; i++) {
        if (p->missing[i].cell == o->e->cell &&
            hypothesis_permits(&j->x, p->missing[i].before, o->got)) {
            return flow_count(p->s);
        }
    }
    return false;
}

static unsigned on_value(void *state, struct judge *j, const struct observed *o, struct val v,
                         bool is_permitted, bool is_agreed)
{
    const struct stops *const p = state;
    (void)is_permitted;
    (void)is_agreed;
    if (!o->inv) {
        return explains_final(p, j, o, v) ? POLICY_PERMITS : 0;
    }
    return p->has_stopped[o->inv->global_index] ? POLICY_UNSEEN : 0;
}

static enum policy_lost on_lost(void *state, struct judge *j, const struct invocation *inv)
{
    const struct stops *const p = state;
    (void)j;
    if (!may_be_missing(p, inv)) {
        return LOST_UNEXPLAINED;
    }
    p->has_stopped[inv->global_index] = flow_count(p->s);
    return LOST_INVOCATION;
}

/* ---- the order of a location ---- */

/* May the event be missing, by bisection? Not if its original was observed. */
static bool is_missing(const struct stops *p, const struct mo_event *e)
{
    uint32_t low = 0, high = p->n_missing;
    while (low < high) {
        uint32_t const at = low + (high - low) / 2;
        if (p->missing[at].event < e->tag) {
            low = at + 1;
        } else {
            high = at;
        }
    }
    return low < p->n_missing && p->missing[low].event == e->tag && !e->knows_original;
}

/* A copy of the events in which those that may be missing are replaced by idle loads, from the `first` one of each
 * invocation on; *n: their number. NULL: the arena is full. */
static const struct mo_event *leave_out(const struct stops *p, struct judge *j,
                                        const struct mo_problem *problem, uint32_t first,
                                        uint32_t *n)
{
    struct mo_event *const events =
        arena_copy(j->a, problem->events, sizeof *events * problem->n_events);
    uint32_t *const n_seen = ARENA_NEW(j->a, uint32_t, (size_t)p->run->flow.n_items + 1);
    *n = 0;
    for (uint32_t i = 0; events && n_seen && i < problem->n_events; i++) {
        struct mo_event const e = events[i];
        if (is_missing(p, &e) && n_seen[e.invocation]++ >= first) {
            events[i] = (struct mo_event){.op = MO_LOAD,
                                          .invocation = e.invocation,
                                          .group = e.group,
                                          .phase = e.phase,
                                          .tag = e.tag};
            ++*n;
        }
    }
    return n_seen ? events : NULL;
}

static double get_number(enum fmt_id fmt, uint64_t enc)
{
    double const magnitude = accuracy_magnitude(fmt, enc);
    return enc & float_formats[fmt].sign ? -magnitude : magnitude;
}

/* If all events are additions: is the final value within the bounds of a sum that lacks some of those that may be
 * missing? Each sub-group may stop at another iteration, so only bounds are checked. */
static bool is_sum_of_some(const struct stops *p, const struct mo_problem *problem)
{
    /* relative to the sum of magnitudes: what rounding may add up to in any format but f16 */
    double const slack = 1e-3;
    double low, high, all;
    if (!problem->is_float || !problem->knows_initial || !problem->knows_final) {
        return false;
    }
    low = high = get_number(problem->fmt, problem->initial);
    all = fabs(low);
    for (uint32_t i = 0; i < problem->n_events; i++) {
        const struct mo_event *e = &problem->events[i];
        if (e->op != MO_FADD || !e->knows_operand) {
            return false;
        }
        double const v = get_number(problem->fmt, e->operand);
        low += is_missing(p, e) && v > 0 ? 0 : v;
        high += is_missing(p, e) && v < 0 ? 0 : v;
        all += fabs(v);
    }
    double const final = get_number(problem->fmt, problem->final);
    return low - slack * all <= final && final <= high + slack * all;
}

/* Is there an order if all invocations that may have stopped did so after the same number of accesses (`first`) of
 * those that may be missing? Each number below MAX_FIRST is tried, until none is left out any more: then the problem
 * is the one that has no order. If none of them explains the order, the bounds of a sum are tried, which hold for
 * different numbers. */
static enum res on_order(void *state, struct judge *j, const struct cell *c,
                         const struct mo_problem *problem, bool is_broken, bool *is_explained,
                         struct err *e)
{
    enum {
        MAX_FIRST = 32 /* numbers of accesses that are tried */
    };
    const struct stops *const p = state;
    uint32_t n_left_out;
    bool may_miss_any = false;
    (void)c;
    *is_explained = false;
    for (uint32_t first = 0; is_broken && first < MAX_FIRST && !*is_explained; first++) {
        struct mo_problem shorter = *problem;
        struct mo_answer answer;
        struct arena_mark const mark = arena_get_mark(j->a);
        shorter.events = leave_out(p, j, problem, first, &n_left_out);
        if (!shorter.events) {
            return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location",
                           problem->n_events);
        }
        may_miss_any |= n_left_out > 0;
        if (n_left_out == 0) {
            arena_release(j->a, mark);
            break;
        }
        TRY(mo_check(&shorter, j->a, &answer, e));
        *is_explained = answer.kind == VERDICT_OK || answer.kind == VERDICT_BOUNDED;
        arena_release(j->a, mark);
    }
    if (!*is_explained && may_miss_any && is_sum_of_some(p, problem)) {
        *is_explained = true;
        p->s->n_free += HYPOTHESIS_OPEN_BITS;
    }
    if (*is_explained) {
        (void)flow_count(p->s);
    }
    return RES_OK;
}

bool flow_stops_make(struct judge *j, struct explain_context *context, struct judge_policy *out)
{
    struct hypothesis *const s = flow_find(context->all, FLOW_STOPS);
    const struct flow_run *const run = s ? flow_run_share(&context->run, j) : NULL;
    struct stops *const p = run ? ARENA_NEW(j->a, struct stops, 1) : NULL;
    if (!p) {
        return false;
    }
    p->run = run;
    size_t const n = (size_t)p->run->flow.n_items + 1;
    p->s = s;
    p->where = fault_get_flow(s->plan.id)->where;
    p->n_done = ARENA_NEW(j->a, uint32_t, n);
    p->last_done = ARENA_NEW(j->a, uint32_t, n);
    p->may_stop = ARENA_NEW(j->a, bool, n);
    p->has_stopped = ARENA_NEW(j->a, bool, n);
    *out = (struct judge_policy){.state = p,
                                 .begin = on_begin,
                                 .site = on_site,
                                 .value = on_value,
                                 .lost = on_lost,
                                 .order = on_order};
    return (p->n_done && p->last_done && p->may_stop && p->has_stopped) ||
           exec_stop(&j->x, "arena full");
}
