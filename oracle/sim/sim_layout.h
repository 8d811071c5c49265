/* oracle/sim/sim_layout.h -- assigns invocations to sub-groups and lanes, and answers built-in variables about
 * them. */
#pragma once

#include "oracle/sim/sim_state.h"

/* The size of the device's sub-groups in this module. */
uint32_t sim_get_subgroup_size(const struct module *m, const struct testcase *tc,
                               const char *facts);
/* Give the n invocations of a work-group their sub-groups. */
void sim_layout_place(struct sim *s, uint32_t group, struct invocation *inv, uint32_t n);
struct lane_position *sim_layout_find(const struct sim *s, const struct invocation *inv);
/* SubgroupMaxSize of a kernel. */
uint32_t sim_get_max_size(const struct sim *s);
/* The hook for built-in variables. */
int sim_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                struct val *out);
