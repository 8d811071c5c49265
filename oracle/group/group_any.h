/* oracle/group/group_any.h -- computes what a group instruction certainly gives a participant where nothing tells
 * which invocations form its sub-group, for example the common value of all. */
#pragma once

#include "oracle/group/group_call.h"

/* Is the result the same in whichever order the participants have their ids, and for each of them: a vote, AllEqual, a
 * reduction of all? */
bool group_is_order_free(const struct group_call *c);
/*
 * Result of participant i, where c has all invocations that may be of its tangle, and those that are of it are i and any
 * others of them. GROUP_IS: `out` has its n_results elements; GROUP_UNKNOWN: it depends on who they are.
 *   minimum, maximum, and, or, vote   of a reduction or an inclusive scan: lies between the participant's own value and
 *       that of all. Where they are equal, it is known: where all values are, and for who has the least of a minimum
 *   floats, AllEqual   where all have the same number, normal, so that no rule of NaNs, zeros and subnormals has a say
 *   broadcast of the first, shuffle to itself   as all have the same value, or by its own
 *   broadcast of id 0  in a kernel, whose sub-groups number their members from 0. In Vulkan one that is filled in part need
 *       not have that id. has_all: the whole work-group takes part, so that id 0 does
 * A cluster may lie outside of the tangle in a kernel, where a sub-group need not have a power of two of members.
 */
enum group_answer group_answer_without_ids(const struct group_call *c, uint32_t i, bool has_all,
                                           uint64_t *out);
