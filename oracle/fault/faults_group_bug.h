/* oracle/fault/faults_group_bug.h -- bugs of real drivers as faults of group instructions: the rows of bugs_group.def. */
#pragma once

#include "oracle/fault/faults_group.h"

/* Is the fault a row of bugs_group.def? Does it leave open what is given? */
bool fault_is_group_bug(enum fault_id id);
bool fault_is_group_open(enum fault_id id);
/* Of an open one: may participant i get `got` in component k? */
bool fault_may_leave(enum fault_id id, const struct fault_group_site *s, uint32_t i, uint32_t k,
                     uint64_t got);
/* Of such a bug: changes `result`, [n * n_results] honest ones, in place where it arises. false: nowhere. */
bool fault_change_by_group_bug(enum fault_id id, const struct fault_group_site *s,
                               uint64_t *result);
