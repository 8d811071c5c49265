/* oracle/fault/faults_group_bug.h -- bugs of real drivers in group instructions: each row of bugs_group.def is a
 * condition on one participant's result and an expression for the wrong one. */
#pragma once

#include "oracle/fault/faults_group.h"

/* Is the fault a row of bugs_group.def? Does it leave open what is given, which is the same for all participants, as
 * fault_agrees says it? */
bool fault_is_group_bug(enum fault_id id);
bool fault_is_group_open(enum fault_id id);
/* Of an open one: does it change what participant i gets in component k? May that be `got`? */
bool fault_leaves_open(enum fault_id id, const struct fault_group_site *s, uint32_t i, uint32_t k);
bool fault_may_leave(enum fault_id id, const struct fault_group_site *s, uint32_t i, uint32_t k,
                     uint64_t got);
/* Of an open one: may participant i get got[1] in component k where p < i gets got[0]? Both are of one U. */
bool fault_agrees(enum fault_id id, const struct fault_group_site *s, const uint32_t i[2],
                  uint32_t k, const uint64_t got[2]);
/* The same of participant i, who gets `got`, and of the one in his place where others come to the instruction, who gets
 * `elsewhere`, which is_right or not. */
bool fault_agrees_elsewhere(enum fault_id id, const struct fault_group_site *s, uint32_t i,
                            uint64_t got, uint64_t elsewhere, bool is_right);
/* Does it act only on more than eight doubles of a sub-group, a NaN among them? Few cases have these. */
bool fault_needs_many_doubles(enum fault_id id);
/* Must more than one value of an instruction be wrong? The others follow of what is known, and one alone tells nothing. */
bool fault_shows_twice(enum fault_id id);
/* Is one wrong value enough, `got` as component k of participant i's result? It is if the fault need not show twice, or if the result is
 * the first value alone, so that nothing was combined with it. */
bool fault_shows_alone(enum fault_id id, const struct fault_group_site *s, uint32_t i, uint32_t k,
                       uint64_t got);
/* Of such a bug: changes `result`, [n * n_results] honest ones, in place where it arises. false: nowhere. */
bool fault_change_by_group_bug(enum fault_id id, const struct fault_group_site *s,
                               uint64_t *result);
