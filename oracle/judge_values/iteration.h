/* oracle/judge_values/iteration.h -- of which iteration of a loop a wrong value is: the registers of the iteration that
 * should have given the value, and whether one iteration more or fewer would give the observed value. Only for the text of a
 * finding.
 *
 * Computed from the phis of the loop headers, whose last two sets of values are kept for each invocation, and by evaluating
 * the instruction again on a copy of the registers. One wrong value costs at most two iterations of each loop. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* Would another number of iterations give the observed value? */
enum iteration_other {
    ITERATION_NONE,
    ITERATION_FURTHER, /* one iteration more would give the value */
    ITERATION_FEWER    /* one iteration fewer would give the value */
};
struct iteration {
    /* The invocation with its registers as they were when the instruction gave its right value. NULL and
     * is_overwritten: a later iteration has overwritten the registers. */
    const struct invocation *inv;
    bool is_overwritten;
    enum iteration_other other;
    uint32_t offset; /* of the loop's header, in words of the module */
};

/* Makes j->iterations; NULL: no loop of the module carries a value, or the arena is full. The next two need it. */
void iteration_make(struct judge *j);
/* The invocations of the next work-group begin. */
void iteration_begin(struct judge *j);
/* The invocation has entered a block, from the block with the label `from`. */
void iteration_enter(struct judge *j, const struct invocation *inv, uint32_t from);
/* The iteration of the wrong value o, which is component `component` of the result of o->in; v is what was permitted. */
struct iteration iteration_find(struct judge *j, const struct observed *o, uint32_t component,
                                struct val v);
/* Hook for the arithmetic of an interpretation that nobody observes (oracle/interp/exec_extra.h): by the rules of the case,
 * without the policy. x->user is the judge. */
int iteration_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in);
