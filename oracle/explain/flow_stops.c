/* oracle/explain/flow_stops.c -- in or after a loop with an atomic that others of its work-group leave earlier, an invocation
 * stops: it does nothing more. The first interpretation finds the last access of each invocation that is seen to have been done;
 * in the second one all accesses after that may be missing. */
#include "oracle/explain/explain_policy.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "oracle/explain/flow_run.h"
#include "oracle/interp/exec.h"
#include "oracle/math/accuracy.h"
#include "oracle/modorder/mo.h"

/* An access that is perhaps missing. */
struct missing {
    uint32_t event, cell;
    struct val before; /* what the cell held before it */
};

struct stops {
    struct hypothesis *s;
    struct flow_run run;
    enum flow_where where;
    /* By invocation: accesses to memory so far; the last of them that is seen to have been done; it has come to where it may
     * stop; it was found to have stopped. */
    uint32_t *n_done, *last_seen;
    bool *is_there, *has_stopped;
    struct missing *missing; /* in the order of events */
    uint32_t n_missing, cap_missing;
};

static bool begin(void *state, struct judge *j)
{
    struct stops *const p = state;
    uint32_t const n = p->run.flow.n_items;
    (void)j;
    flow_run_begin(&p->run);
    memset(p->n_done, 0, sizeof *p->n_done * n);
    memset(p->is_there, 0, sizeof *p->is_there * n);
    memset(p->has_stopped, 0, sizeof *p->has_stopped * n);
    if (!p->run.is_known) {
        memset(p->last_seen, 0, sizeof *p->last_seen * n);
    }
    p->n_missing = 0;
    return true;
}

static bool end(void *state, struct judge *j)
{
    struct stops *const p = state;
    (void)j;
    return flow_run_end(&p->run);
}

/* Is what the invocation does now perhaps not done? */
static bool may_be_missing(const struct stops *p, const struct invocation *inv)
{
    uint32_t const at = inv->global_index;
    return p->is_there[at] && p->n_done[at] > p->last_seen[at];
}

static void see_access(struct stops *p, struct judge *j, const struct policy_site *site)
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

static void come_to(void *state, struct judge *j, const struct policy_site *site)
{
    struct stops *const p = state;
    uint32_t const at = site->inv ? site->inv->global_index : 0;
    if (site->kind == SITE_BLOCK) {
        flow_run_enter(&p->run, site->inv);
        p->is_there[at] |=
            p->run.is_known && fault_flow_is_at(&p->run.flow, &j->m, site->inv, p->where);
    } else if (site->kind == SITE_PROBE) {
        p->n_done[at]++;
        p->last_seen[at] =
            !p->run.is_known && !site->is_unchanged ? p->n_done[at] : p->last_seen[at];
    } else if (site->kind == SITE_ACCESS) {
        see_access(p, j, site);
    }
}

/* A location of one invocation holds its final value because accesses are missing? */
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

static unsigned see_value(void *state, struct judge *j, const struct observed *o, struct val v,
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

static enum policy_lost see_lost(void *state, struct judge *j, const struct invocation *inv)
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

/* The events without those that may be missing, from the `first` one of each invocation on; *n: how many those are.
 * NULL: the arena is full. */
static const struct mo_event *leave_out(const struct stops *p, struct judge *j,
                                        const struct mo_problem *problem, uint32_t first,
                                        uint32_t *n)
{
    struct mo_event *const events =
        arena_copy(j->a, problem->events, sizeof *events * problem->n_events);
    uint32_t *const n_seen = ARENA_NEW(j->a, uint32_t, (size_t)p->run.flow.n_items + 1);
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

/* Of additions alone: does the final value lie where it does without some of those that may be missing? Each sub-group stops at
 * another iteration, and which ones these are nobody knows: bounds must do. */
static bool is_sum_of_some(const struct stops *p, const struct mo_problem *problem)
{
    /* of all magnitudes: what rounding may add up to in any format but f16 */
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

/* Is there an order if all invocations that may have stopped did so after some number of accesses, the same for all? */
static enum res see_order(void *state, struct judge *j, const struct cell *c,
                          const struct mo_problem *problem, bool is_broken, bool *is_explained,
                          struct err *e)
{
    enum {
        MAX_FIRST = 32 /* accesses before all stop, that are tried */
    };
    const struct stops *const p = state;
    uint32_t n_left_out = 1;
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
    (void)(*is_explained && flow_count(p->s));
    return RES_OK;
}

bool flow_stops_make(struct judge *j, struct hypothesis *all, struct judge_policy *out)
{
    struct hypothesis *const s = flow_find(all, FLOW_STOPS);
    struct stops *const p = s ? ARENA_NEW(j->a, struct stops, 1) : NULL;
    if (!p || !flow_run_make(&p->run, j)) {
        return false;
    }
    size_t const n = (size_t)p->run.flow.n_items + 1;
    p->s = s;
    p->where = fault_get_flow(s->plan.id)->where;
    p->n_done = ARENA_NEW(j->a, uint32_t, n);
    p->last_seen = ARENA_NEW(j->a, uint32_t, n);
    p->is_there = ARENA_NEW(j->a, bool, n);
    p->has_stopped = ARENA_NEW(j->a, bool, n);
    *out = (struct judge_policy){.state = p,
                                 .begin = begin,
                                 .end = end,
                                 .site = come_to,
                                 .value = see_value,
                                 .lost = see_lost,
                                 .order = see_order};
    return (p->n_done && p->last_seen && p->is_there && p->has_stopped) ||
           exec_stop(&j->x, "arena full");
}
