/* oracle/explain/explain_policy.h -- the parts of the policy of a device that is taken to have faults
 * (oracle/explain/explain.h). Each part is a policy of its own (oracle/judge_state/policy.h) for the hypotheses that
 * it understands; functions that a part does not need are NULL. */
#pragma once

#include "oracle/explain/flow_run.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/judge_state/policy.h"

/* What parts are made of. */
struct explain_context {
    struct hypothesis *all; /* the chain of hypotheses */
    struct flow_run *run;   /* that all models of control flow share; NULL: none has asked for it */
};
/* Makes a part, before the first interpretation of the case. false: the part does not apply to this chain and this
 * module, or the arena is full (x->stop). */
typedef bool explain_make(struct judge *j, struct explain_context *context,
                          struct judge_policy *out);

/* Faults of what one instruction gives. */
explain_make explain_values_make, explain_groups_make, explain_atomics_make;
/* Faults of control flow and of memory across barriers (oracle/fault/flow.def), each in a file of its own. */
explain_make flow_unrolled_make, flow_skipped_make, flow_additional_make, flow_other_side_make,
    flow_after_last_make, flow_stops_make, flow_reload_make;

/* The bits of v if they are known, else 0: what a register holds that was never written. */
static inline uint64_t explain_known_bits(const struct exec *x, struct val v)
{
    uint64_t bits;
    return exec_known(x, v, &bits) ? bits : 0;
}
