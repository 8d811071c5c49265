/* oracle/modorder/mo.c -- one order that explains all returned originals. */
#include "oracle/modorder/mo.h"

#include <string.h>

#include "oracle/modorder/mo_blame.h"
#include "oracle/modorder/mo_graph.h"
#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_search.h"
#include "oracle/modorder/mo_step.h"
#include "oracle/modorder/mo_sum.h"
#include "oracle/modorder/mo_trail.h"
#include "oracle/modorder/mo_walk.h"

enum {
    SEARCH_WORK = 400000, /* events looked at per search: some 30 ms, which few need */
    TRIES_LARGE = 1,      /* searches when there are more than LARGE_N events */
    TRIES_SMALL = 3,
    LARGE_N = 4096,
    SEARCH_FIRST_N = 24, /* up to here the search is exhaustive and quick */
    QUICK_WORK = 3,      /* events looked at per event */
    QUICK_WORK_LEAST = 1000,
    GUIDED_TIMES = 2 /* as much again once there is a guide */
};

static void accept(const struct mo_job *j, const struct mo_order *o, struct mo_answer *out)
{
    out->kind = j->n_no_operand ? VERDICT_BOUNDED : VERDICT_OK;
    out->clause = CLAUSE_RMW_CHAIN;
    out->has_order = 1;
    for (uint32_t i = 1; i < o->n; i++) {
        out->n_switches += j->events[o->event[i]].group != j->events[o->event[i - 1]].group;
    }
    out->text = "one order of the operations explains every value";
}

/* A short search, which is all that most need; then a walk that keeps the way to the end
 * open and never turns back, and searches that are guided by it, each with other ties. `o` keeps
 * the walk's failure, for blame and for the long search. */
static enum res try_quickly(const struct mo_job *j, const struct mo_graph *g, struct mo_order *o,
                            struct err *e)
{
    enum search_answer answer;
    struct search_limits lim = {
        .keeps = KEEPS_ALL, .is_quick = 1, .work = QUICK_WORK * (int64_t)j->n + QUICK_WORK_LEAST};
    struct mo_order found;
    enum res r = mo_search(j, g, &lim, &answer, o, e);
    if (r != RES_OK || o->is_found) {
        return r;
    }
    r = mo_walk(j, g, o, e);
    if (r != RES_OK || o->is_found) {
        return r;
    }
    r = mo_trail(j, g, o->last_way, &found, e);
    uint32_t const n_tries = j->n > LARGE_N ? TRIES_LARGE : j->n > SEARCH_FIRST_N ? TRIES_SMALL : 1;
    lim.work *= GUIDED_TIMES;
    lim.last_way = o->last_way;
    for (uint32_t k = 0; k < n_tries && r == RES_OK && !found.is_found; k++) {
        lim.try_number = k;
        r = mo_search(j, g, &lim, &answer, &found, e);
    }
    if (r == RES_OK && found.is_found) {
        *o = found;
    }
    return r;
}

struct mo_try {
    struct mo_graph graph;
    struct mo_order order; /* found, or the last failed walk */
};

/* The common way: degrees, then walks, first by the plain rule, then by all that is permitted. */
static enum res try_plain_then_full(struct mo_job *j, struct mo_try *t, struct err *e)
{
    const struct fp_rules *r = &j->p->rules;
    int const is_free =
        j->p->is_float && (r->rounding == ROUND_EITHER || j->sees_flush || j->p->is_contracted);
    enum res done = RES_OK;
    j->policy = POLICY_PLAIN;
    if (!(j->p->is_float && r->flush_out == FLUSH_MUST)) {
        int const sees_flush = j->sees_flush;
        j->sees_flush = 0;
        done = mo_graph_make(j, &t->graph, e);
        if (done == RES_OK && t->graph.answer != GRAPH_NONE) {
            done = try_quickly(j, &t->graph, &t->order, e);
        }
        j->sees_flush = sees_flush;
    }
    if (done != RES_OK || t->order.is_found) {
        return done;
    }
    j->policy = POLICY_FULL;
    if (is_free) {
        done = mo_graph_make(j, &t->graph, e);
        if (done == RES_OK && t->graph.answer != GRAPH_NONE) {
            done = try_quickly(j, &t->graph, &t->order, e);
        }
    }
    return done;
}

/* Orders exist, or may: none that keeps program order and barriers does. */
static enum res accuse_order(struct mo_job *j, const struct mo_try *t, struct mo_answer *out,
                             struct err *e)
{
    enum search_answer answer = SEARCH_NONE;
    struct mo_order o;
    out->kind = VERDICT_ORDER;
    out->clause = CLAUSE_PROGRAM_ORDER;
    if (j->n_phases > 1) {
        struct search_limits const lim = {.keeps = KEEPS_PROGRAM_ORDER, .work = SEARCH_WORK};
        enum res const r = mo_search(j, &t->graph, &lim, &answer, &o, e);
        if (r != RES_OK) {
            return r;
        }
        out->clause = answer == SEARCH_FOUND ? CLAUSE_BARRIER_ORDER : CLAUSE_PROGRAM_ORDER;
    }
    uint32_t const blocked = t->order.blocked != MO_NONE ? t->order.blocked : 0;
    out->suspect[out->n_suspects++] = blocked;
    for (uint32_t i = 0; i < blocked && out->n_suspects < 2; i++) {
        if (j->next[i] == blocked) {
            out->suspect[out->n_suspects++] = i;
        }
    }
    out->text = arena_printf(j->a,
                             "orders of the %u operations exist, but none in which operation "
                             "%u (saw 0x%llx) comes where its invocation has it",
                             j->n, blocked, (unsigned long long)j->events[blocked].original);
    return RES_OK;
}

/* What is left when the budget is spent. */
static void settle(const struct mo_job *j, struct mo_answer *out)
{
    struct mo_sum sum;
    mo_sum_check(j, &sum);
    if (sum.answer == SUM_WRONG) {
        mo_blame_sum(j, &sum, out);
        return;
    }
    int const is_bounded = j->n_unknown > 0 || j->n_no_operand > 0;
    out->kind = is_bounded ? VERDICT_BOUNDED : VERDICT_INCONCLUSIVE;
    out->clause = CLAUSE_RMW_CHAIN;
    out->text = arena_printf(j->a,
                             "no order of the %u operations was found within the budget; "
                             "every necessary condition holds",
                             j->n);
}

static enum res search_all(struct mo_job *j, struct mo_try *t, struct mo_answer *out, struct err *e)
{
    enum search_answer answer = SEARCH_OUT;
    struct mo_order o;
    struct search_limits lim = {
        .keeps = KEEPS_ALL, .work = SEARCH_WORK, .last_way = t->order.last_way};
    enum res r = mo_search(j, &t->graph, &lim, &answer, &o, e);
    if (r != RES_OK || answer == SEARCH_OUT) {
        settle(j, out);
        return r;
    }
    if (answer == SEARCH_FOUND) {
        accept(j, &o, out);
        return RES_OK;
    }
    if (t->graph.answer == GRAPH_EXISTS) {
        return accuse_order(j, t, out, e);
    }
    lim.keeps = KEEPS_NOTHING;
    r = mo_search(j, &t->graph, &lim, &answer, &o, e);
    if (r == RES_OK && answer == SEARCH_FOUND) {
        return accuse_order(j, t, out, e);
    }
    return r == RES_OK ? mo_blame(j, &t->graph, out, e) : r;
}

/* Cells where every update went unobserved have rules of their own. 1: decided. */
static int settle_unobserved(const struct mo_job *j, struct mo_answer *out)
{
    struct mo_sum sum;
    uint32_t n_known = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        n_known += j->events[i].knows_original;
    }
    if (n_known > 0 || j->n_unknown == 0 || j->n_no_operand > 0) {
        return 0;
    }
    mo_sum_check(j, &sum);
    out->clause = CLAUSE_RMW_CHAIN;
    if (sum.answer == SUM_WRONG) {
        mo_blame_sum(j, &sum, out);
        return 1;
    }
    int const is_hopeless = sum.answer == SUM_INSIDE && j->n > SEARCH_FIRST_N;
    out->kind = is_hopeless ? VERDICT_BOUNDED : VERDICT_OK;
    out->text = is_hopeless ? "the final value keeps the bound of any order"
                            : "an order of the operations gives the final value";
    return is_hopeless || sum.answer == SUM_OK;
}

static enum res check_empty(const struct mo_job *j, struct mo_answer *out)
{
    const struct mo_problem *p = j->p;
    out->kind = VERDICT_OK;
    out->clause = CLAUSE_RMW_CHAIN;
    out->text = "the location was not touched";
    if (p->knows_initial && p->knows_final && !mo_ends_at(j, mo_value(j->initial), j->final)) {
        out->kind = VERDICT_ATOMICITY;
        out->expected = p->initial;
        out->got = p->final;
        out->has_values = 1;
        out->text = arena_printf(j->a, "no operation, yet 0x%llx became 0x%llx",
                                 (unsigned long long)p->initial, (unsigned long long)p->final);
    }
    return RES_OK;
}

enum res mo_check(const struct mo_problem *p, struct arena *a, struct mo_answer *out, struct err *e)
{
    struct mo_job j;
    struct mo_try t;
    memset(out, 0, sizeof *out);
    memset(&t, 0, sizeof t);
    t.order.blocked = MO_NONE;
    out->text = "";
    enum res r = mo_job_make(p, a, &j, e);
    if (r != RES_OK) {
        return r;
    }
    if (p->n_events == 0) {
        return check_empty(&j, out);
    }
    out->n_groups = j.n_groups;
    if (settle_unobserved(&j, out)) {
        return RES_OK;
    }
    r = try_plain_then_full(&j, &t, e);
    if (r != RES_OK) {
        return r;
    }
    if (t.order.is_found) {
        accept(&j, &t.order, out);
        return RES_OK;
    }
    if (t.graph.answer == GRAPH_NONE) {
        return mo_blame(&j, &t.graph, out, e);
    }
    return search_all(&j, &t, out, e);
}
