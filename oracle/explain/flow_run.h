/* oracle/explain/flow_run.h -- what the models of faults of control flow share. The case is interpreted twice: the
 * first interpretation counts how often each invocation enters each loop; in the second one these counts are known,
 * so that a model can compare an invocation with others of its work-group. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/judge_state/judge_state.h"
#include "oracle/modorder/mo_atomic.h"

/* The first hypothesis of the chain that is of a fault of control flow with that effect; NULL: none is. */
struct hypothesis *flow_find(struct hypothesis *all, enum flow_does does);

/* How often each invocation enters each loop. */
struct flow_run {
    struct fault_flow flow;
    bool is_known;   /* the first interpretation is over, so that all counts are known */
    uint32_t *group; /* [flow.n_items] the work-group of each invocation */
};
/* The one that *shared has, made where that is NULL. NULL and x->stop: the arena is full. */
const struct flow_run *flow_run_share(struct flow_run **shared, struct judge *j);
/* An interpretation begins; the invocation has entered a block; the interpretation has ended (true: a second one is needed). */
void flow_run_begin(struct flow_run *run);
void flow_run_enter(struct flow_run *run, const struct invocation *inv);
bool flow_run_end(struct flow_run *run);

/* Counts one explained value, store or location. Always true. */
bool flow_count(struct hypothesis *s);
/* Lets the result of the phi in the invocation also be `other`. */
void flow_widen_phi(struct hypothesis *s, struct judge *j, const struct invocation *inv,
                    const struct mod_inst *phi, struct val other);
/* Does a word of a buffer hold the value: before the run anywhere, or after it at another location than `at`? */
bool flow_is_held(const struct judge *j, struct location at, uint32_t n_bytes, uint64_t got);
/* May v, a value of an interpretation that is not the invocation's own, have given the observed value at that location? Where v
 * may be anything: does a word of a buffer hold the value? */
bool flow_may_be(const struct judge *j, struct val v, struct location at, uint32_t n_bytes,
                 uint64_t got);
/* Component c of an atomic of an additional interpretation, as an event of its location; `row`: of its instruction. */
struct mo_event flow_describe_atomic(const struct exec *x, const struct invocation *inv,
                                     const struct mod_inst *in, const struct mo_atomic *row,
                                     uint32_t c);
