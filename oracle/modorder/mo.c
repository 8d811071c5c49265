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
    SEARCH_FIRST_N = 24, /* up to here the search is exhaustive and quick */
    QUICK_WORK = 3,      /* events looked at per event */
    QUICK_WORK_LEAST = 1000
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

struct mo_try {
    struct mo_graph graph;
    struct mo_order order; /* found, or the last failed walk */
};

/* Tries to find an order under j's policy by quick means, in turn: the degrees of the graph, which may prove
 * that there is none; a short search, which is all that most need; a walk that never turns back and keeps the
 * way to the end open; a trail of pieces. If none finds an order, t->order keeps where the walk failed, for blame and
 * for the long search. */
static enum res try_quickly(const struct mo_job *j, struct mo_try *t, struct err *e)
{
    enum search_answer answer;
    struct search_limits const limits = {.keeps = KEEPS_ALL,
                                         .is_quick = true,
                                         .work = QUICK_WORK * (int64_t)j->n + QUICK_WORK_LEAST};
    struct mo_order found;
    enum res r = mo_graph_make(j, &t->graph, e);
    if (r != RES_OK || t->graph.answer == GRAPH_NONE) {
        return r;
    }
    r = mo_search(j, &t->graph, &limits, &answer, &t->order, e);
    if (r != RES_OK || t->order.is_found) {
        return r;
    }
    r = mo_walk(j, &t->graph, &t->order, e);
    if (r != RES_OK || t->order.is_found) {
        return r;
    }
    TRY(mo_trail(j, &t->graph, t->order.last_way, &found, e));
    if (found.is_found) {
        t->order = found;
    }
    return RES_OK;
}

/* First by the plain rule, then by all that is permitted. */
static enum res try_plain_then_full(struct mo_job *j, struct mo_try *t, struct err *e)
{
    const struct fp_rules *rules = &j->p->rules;
    bool const sees_flush = j->sees_flush;
    bool const must_flush = j->p->is_float && rules->flush_out == FLUSH_MUST;
    bool const is_any_rounding =
        rules->rounding == ROUND_EITHER || rules->rounding == ROUND_NEAREST_OR_ZERO;
    bool const is_free = j->p->is_float && (is_any_rounding || sees_flush || j->p->is_contracted);
    if (!must_flush) {
        j->policy = POLICY_PLAIN;
        j->sees_flush = false;
        enum res const r = try_quickly(j, t, e);
        j->sees_flush = sees_flush;
        if (r != RES_OK || t->order.is_found) {
            return r;
        }
    }
    j->policy = POLICY_FULL;
    return is_free ? try_quickly(j, t, e) : RES_OK;
}

/* Orders of the operations exist, or may, but none that keeps program order and barriers: fills in the
 * verdict ORDER. The clause is that of barriers if an order exists that keeps program order alone. Suspects
 * are the event that had to wait for its turn (`blocked`, of the walk that failed) and the one before it in
 * its invocation. */
static enum res accuse_order(struct mo_job *j, const struct mo_try *t, struct mo_answer *out,
                             struct err *e)
{
    enum search_answer answer = SEARCH_NONE;
    struct mo_order o;
    out->kind = VERDICT_ORDER;
    out->clause = CLAUSE_PROGRAM_ORDER;
    if (j->n_phases > 1) { /* there are barriers */
        struct search_limits const lim = {.keeps = KEEPS_PROGRAM_ORDER, .work = SEARCH_WORK};
        TRY(mo_search(j, &t->graph, &lim, &answer, &o, e));
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

/* What can be said when the budget is spent. */
static void answer_by_bounds(const struct mo_job *j, struct mo_answer *out)
{
    struct mo_sum sum;
    mo_sum_check(j, &sum);
    if (sum.answer == SUM_WRONG) {
        mo_blame_sum(j, &sum, out);
        return;
    }
    bool const is_all_known = j->n_unknown == 0 && j->n_no_operand == 0;
    out->kind = !is_all_known ? VERDICT_BOUNDED : VERDICT_INCONCLUSIVE;
    out->clause = CLAUSE_RMW_CHAIN;
    out->text = arena_printf(j->a,
                             "no order of the %u operations was found within the budget; "
                             "every necessary condition holds",
                             j->n);
}

/* The long search. If its budget runs out (SEARCH_OUT) bounds alone can answer. If it proves that no order
 * keeps program order and barriers, it is asked whether one exists without them: then these are broken, else
 * some value is wrong. */
static enum res search_all(struct mo_job *j, struct mo_try *t, struct mo_answer *out, struct err *e)
{
    enum search_answer answer = SEARCH_OUT;
    struct mo_order o;
    struct search_limits lim = {
        .keeps = KEEPS_ALL, .work = SEARCH_WORK, .last_way = t->order.last_way};
    enum res r = mo_search(j, &t->graph, &lim, &answer, &o, e);
    if (r != RES_OK || answer == SEARCH_OUT) {
        answer_by_bounds(j, out);
        return r;
    }
    if (answer == SEARCH_FOUND) {
        accept(j, &o, out);
        return RES_OK;
    }
    if (t->graph.answer == GRAPH_EXISTS) { /* an order without them is proven to exist */
        return accuse_order(j, t, out, e);
    }
    lim.keeps = KEEPS_NOTHING;
    TRY(mo_search(j, &t->graph, &lim, &answer, &o, e));
    return answer == SEARCH_FOUND ? accuse_order(j, t, out, e) : mo_blame(j, &t->graph, out, e);
}

/* Answers for a location of which no event saw anything, from its final value. false: some event saw a value,
 * an operand is not known, or the final value does not decide, as where the events are few enough for a
 * search. */
static bool decide_unobserved(const struct mo_job *j, struct mo_answer *out)
{
    struct mo_sum sum;
    for (uint32_t i = 0; i < j->n; i++) {
        if (j->events[i].knows_original) {
            return false;
        }
    }
    if (j->n_unknown == 0 || j->n_no_operand > 0) { /* loads alone, or an operand is not known */
        return false;
    }
    mo_sum_check(j, &sum);
    out->clause = CLAUSE_RMW_CHAIN;
    if (sum.answer == SUM_WRONG) {
        mo_blame_sum(j, &sum, out);
        return true;
    }
    if (sum.answer == SUM_INSIDE && j->n > SEARCH_FIRST_N) { /* too many to search */
        out->kind = VERDICT_BOUNDED;
        out->text = "the final value keeps the bound of any order";
        return true;
    }
    if (sum.answer != SUM_OK) {
        return false;
    }
    out->kind = VERDICT_OK;
    out->text = "an order of the operations gives the final value";
    return true;
}

static void check_empty(const struct mo_job *j, struct mo_answer *out)
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
}

/* Is there one order of the location's atomics that explains all values which were seen? Fills in *out. The
 * quick means first, then the long search; where the graph proves that there is no order, the wrong value is
 * named. */
enum res mo_check(const struct mo_problem *p, struct arena *a, struct mo_answer *out, struct err *e)
{
    struct mo_job j;
    struct mo_try t;
    memset(out, 0, sizeof *out);
    memset(&t, 0, sizeof t);
    t.order.blocked = MO_NONE;
    out->text = "";
    TRY(mo_job_make(p, a, &j, e));
    if (p->n_events == 0) {
        check_empty(&j, out);
        return RES_OK;
    }
    out->n_groups = j.n_groups;
    if (decide_unobserved(&j, out)) {
        return RES_OK;
    }
    TRY(try_plain_then_full(&j, &t, e));
    if (t.order.is_found) {
        accept(&j, &t.order, out);
        return RES_OK;
    }
    if (t.graph.answer == GRAPH_NONE) {
        return mo_blame(&j, &t.graph, out, e);
    }
    return search_all(&j, &t, out, e);
}
