/* oracle/modorder/mo.c -- the stages of the decision, from cheap to expensive: mo_check, at the end of the file, is
 * the whole. */
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
    SEARCH_WORK = 400000,   /* events that a long search looks at: some 30 ms, which few need */
    EXHAUSTIVE_MAX_N = 24,  /* up to so many events a search is exhaustive and quick */
    QUICK_WORK = 3,         /* events that a short search looks at, for each event */
    QUICK_WORK_LEAST = 1000 /* and this many more */
};

/* An order was found: OK, or BOUNDED if an operand is not known. */
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

/* The result of the quick stages. */
struct mo_try {
    struct mo_graph graph;
    struct mo_order order; /* the order, if is_found; else where the walk failed */
};

/* Tries the quick stages under j's policy: the degrees of the graph, which may prove that there is no order
 * (t->graph.answer); a short search, which finds most orders; a walk without backtracking; a trail of pieces. t->order
 * is the order, if one of them finds it; else it keeps where the walk failed, for the blame and for the long search. */
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

/* Tries the quick stages twice: with one result for each operation (POLICY_PLAIN: rounded to nearest, nothing
 * flushed), which is quicker, then with all results that the rules permit (POLICY_FULL). */
static enum res try_plain_then_full(struct mo_job *j, struct mo_try *t, struct err *e)
{
    const struct fp_rules *rules = &j->p->rules;
    bool const sees_flush = j->sees_flush;
    bool const must_flush = j->p->is_float && rules->flush_out == FLUSH_MUST;
    bool const is_any_rounding =
        rules->rounding == ROUND_EITHER || rules->rounding == ROUND_NEAREST_OR_ZERO;
    /* else the rules permit the plain results alone, and the second run would repeat the first */
    bool const has_choice =
        j->p->is_float && (is_any_rounding || sees_flush || j->p->is_contracted);
    if (!must_flush) { /* else the plain results are not permitted */
        j->policy = POLICY_PLAIN;
        j->sees_flush = false;
        enum res const r = try_quickly(j, t, e);
        j->sees_flush = sees_flush;
        if (r != RES_OK || t->order.is_found) {
            return r;
        }
    }
    j->policy = POLICY_FULL;
    return has_choice ? try_quickly(j, t, e) : RES_OK;
}

/* Fills in the verdict ORDER: orders exist, but none keeps program order and barriers. The clause is BARRIER_ORDER if
 * a search finds an order that keeps program order alone, else PROGRAM_ORDER. Suspects are the event at which the walk
 * failed because it had to wait for its predecessor in program order (`blocked`), and that predecessor, if it has one.
 * Where the walk did not fail at such an event, the first event stands for all: a finding needs a suspect. */
static enum res report_order(struct mo_job *j, const struct mo_try *t, struct mo_answer *out,
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
    out->text = arena_printf(
        j->a,
        "orders of the %u operations exist, but each breaks the program order of "
        "invocation %u: its operation that found 0x%llx is out of place",
        j->n, j->events[blocked].invocation, (unsigned long long)j->events[blocked].original);
    return RES_OK;
}

/* The budget of the long search is spent: decides by the bounds of the final value (mo_sum.h). If they hold, BOUNDED
 * where something is not known, else INCONCLUSIVE. */
static void answer_by_bounds(const struct mo_job *j, struct mo_answer *out)
{
    struct mo_sum sum;
    mo_sum_check(j, &sum);
    if (sum.answer == SUM_WRONG) {
        mo_blame_sum(j, &sum, out);
        return;
    }
    bool const is_all_known = j->n_unknown == 0 && j->n_no_operand == 0;
    out->kind = is_all_known ? VERDICT_INCONCLUSIVE : VERDICT_BOUNDED;
    out->clause = CLAUSE_RMW_CHAIN;
    out->text = arena_printf(j->a,
                             "no order of the %u operations was found within the budget; "
                             "every necessary condition holds",
                             j->n);
}

/* The long search. If its budget is spent (SEARCH_OUT), bounds answer. If it proves that no order keeps program order
 * and barriers, a second search asks whether an order exists without them: if so, the verdict is ORDER. If not, or if
 * the second search gives up, a value is wrong: that no order keeps them is proven either way. */
static enum res search_long(struct mo_job *j, struct mo_try *t, struct mo_answer *out,
                            struct err *e)
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
    if (t->graph.answer ==
        GRAPH_EXISTS) { /* the graph has proven that an order without them exists */
        return report_order(j, t, out, e);
    }
    lim.keeps = KEEPS_NOTHING;
    TRY(mo_search(j, &t->graph, &lim, &answer, &o, e));
    return answer == SEARCH_FOUND ? report_order(j, t, out, e) : mo_blame(j, &t->graph, out, e);
}

/* Decides a location of which no original was observed, by its final value (mo_sum.h). false: an original was observed, an
 * operand is not known, all events are loads, no method applies, or the final value lies within bounds and the events are
 * few enough for a search, which is exact. */
static bool decide_by_final_value(const struct mo_job *j, struct mo_answer *out)
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
    if (sum.answer == SUM_INSIDE && j->n > EXHAUSTIVE_MAX_N) {
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

/* Decides a location without events: its value may not have changed. */
static void decide_empty(const struct mo_job *j, struct mo_answer *out)
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

/* Stages: the final value alone, where no original was observed; the quick stages; the long search. Where the graph of the
 * last quick stage, which has all results that the rules permit, proves that there is no order, mo_blame names the wrong
 * value. */
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
        decide_empty(&j, out);
        return RES_OK;
    }
    out->n_groups = j.n_groups;
    if (decide_by_final_value(&j, out)) {
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
    return search_long(&j, &t, out, e);
}
