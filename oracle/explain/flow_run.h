/* oracle/explain/flow_run.h -- what the models of faults of control flow share. The case is interpreted twice: the first
 * interpretation finds how often each invocation comes to each loop, and the second one knows it. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/judge_state/judge_state.h"
#include "oracle/modorder/mo_atomic.h"

/* The first hypothesis of the chain that is of such a fault; NULL: none is. */
struct hypothesis *flow_find(struct hypothesis *all, enum flow_does does);

/* How often each invocation comes to each loop. */
struct flow_run {
    struct fault_flow flow;
    bool is_known;   /* how often all of them do: the first interpretation is over */
    uint32_t *group; /* [flow.n_items] the work-group of each invocation */
};
/* false: the arena is full. */
bool flow_run_make(struct flow_run *run, struct judge *j);
/* An interpretation begins; the invocation has entered a block; the interpretation is over, true: another one is needed. */
void flow_run_begin(struct flow_run *run);
void flow_run_enter(struct flow_run *run, const struct invocation *inv);
bool flow_run_end(struct flow_run *run);

/* One value, store or location is explained; counts. Always true. */
bool flow_count(struct hypothesis *s);
/* Lets what the phi gave to the invocation also be `other`. */
void flow_widen_phi(struct hypothesis *s, struct judge *j, const struct invocation *inv,
                    const struct mod_inst *phi, struct val other);
/* Do the buffers hold the value anywhere: before the run, or after it at another memory location than `at`? */
bool flow_is_held(const struct judge *j, struct location at, uint32_t n_bytes, uint64_t got);
/* Hook of an interpretation that nobody observes: arithmetic by the rules of the case. */
int flow_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in);
/* Component c of an atomic that nobody sees, as an access to its location; `row` is that of its instruction. */
struct mo_event flow_describe_atomic(const struct exec *x, const struct invocation *inv,
                                     const struct mod_inst *in, const struct mo_atomic *row,
                                     uint32_t c);
