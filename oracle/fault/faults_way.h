/* oracle/fault/faults_way.h -- bugs of branches and switches: computes the label that an invocation goes to in
 * place of the correct one, from the row of flow.def and the iterations that the invocation has done. */
#pragma once

#include "oracle/fault/faults_flow.h"

/* Is the branch or switch `in` one that the bug of that row is about, wherever the invocation goes there? */
bool fault_may_turn_aside(const struct flow_row *row, const struct fault_flow *flow,
                          const struct module *m, const struct mod_inst *in);
/*
 * Where the invocation goes with the bug of that row, when it is at the branch or switch `in` and ought to go to
 * `label`; `label` where the bug is none of these, or does not act here. flow: the iterations that the invocation has done,
 * and will have done in all. It is always one of the labels that the instruction names.
 */
uint32_t fault_turn_aside(const struct flow_row *row, const struct fault_flow *flow,
                          const struct module *m, const struct invocation *inv,
                          const struct mod_inst *in, uint32_t label);
