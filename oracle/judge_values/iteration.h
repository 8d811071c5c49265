/* oracle/judge_values/iteration.h -- values that a loop carries: those of the iteration that gave an observed value, and those
 * of one iteration more or fewer. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* What an observed value has to do with the loops of the module. */
enum iteration_other {
    ITERATION_NONE,
    ITERATION_FURTHER, /* it is what one further iteration would give, */
    ITERATION_FEWER    /* or one fewer */
};
struct iteration {
    /* The invocation with its registers as they were where the instruction gave what it should have; is_overwritten: they
     * were written since, and what they were is not known. */
    const struct invocation *inv;
    bool is_overwritten;
    enum iteration_other other;
    uint32_t offset; /* of the loop's header, in words of the module */
};

/* j->iterations stays NULL where no loop of the module carries a value, or the arena is full. */
void iteration_make(struct judge *j);
/* The invocations of the next work-group begin; one has entered a block, from the one of that label. Only where j->iterations is not NULL. */
void iteration_begin(struct judge *j);
void iteration_enter(struct judge *j, const struct invocation *inv, uint32_t from);
/* What component `component` of o->in was observed to be, and what was permitted of it is v. Found again by evaluating
 * the instruction on the registers that there are. */
struct iteration iteration_find(struct judge *j, const struct observed *o, uint32_t component,
                                struct val v);
