/* oracle/sim/sim_flow.h -- lets planted faults of control flow act on the simulated device: a run without them
 * records the loop iterations, the next one diverts or stops invocations. */
#pragma once

#include "oracle/sim/sim_state.h"

/* s->flows stays NULL where no plan is of such a bug. false: the arena is full. */
bool sim_flow_make(struct sim *s, struct arena *a);
/* Below: nothing happens where s->flows is NULL. A run begins; ended without a fault: how often each invocation
 * comes to each loop is known from now on. */
void sim_flow_begin(struct sim *s);
void sim_flow_settle(struct sim *s);
/* Hook `enter` of the interpreter: counts the block that the invocation has entered, and may stop it there. */
void sim_flow_enter(struct exec *x, struct invocation *inv, uint32_t from);
/* Hook `way`: the label that it goes to from a branch or switch whose correct target is `label`. */
uint32_t sim_flow_way(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      uint32_t label);
/* Does the planted fault FLOW_STORE_LOST drop this plain store of the invocation? Counts the store. differs: the memory
 * location holds another number than is stored. */
bool sim_flow_loses_store(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                          bool differs);
/* Has the invocation stopped for good? */
bool sim_flow_is_stopped(const struct sim *s, const struct invocation *inv);
