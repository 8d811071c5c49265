/* oracle/judge_groups/judge_group.h -- the permitted results of a group instruction, from the operands of its participants.
 *
 * Computed when all invocations that can reach the instruction wait there: finds the participants (subgroup.h), reads their
 * operands (group_site.h), and puts each permitted result (oracle/group, judge_sums.h) into the registers of its invocation.
 * A result of unknown participants is a value that only the device can tell. The steps grow with the square of the sub-group
 * size. */
#pragma once

#include "oracle/interp/tangle.h"
#include "oracle/judge_state/judge_state.h"

/* Puts the results of the instruction at the site s into the registers of the invocations that wait there. inv: all n
 * invocations of the work-group. 0 and x->stop: the interpretation cannot go on. */
int judge_group_site(struct judge *j, struct invocation *inv, uint32_t n,
                     const struct tangle_site *s);
