/* oracle/group/group_move.h -- finds the participant whose value a lane exchange returns, by the formula of each
 * instruction. */
#pragma once

#include "oracle/group/group_call.h"

/*
 * Participant from which i's result of a GROUP_MOVE comes: an index into c->index, or
 * GROUP_FROM_NOBODY (undefined: inactive, out of range, or not covered by the text),
 * GROUP_FROM_OTHER (c->other of i itself), GROUP_FROM_UNKNOWN (depends on an id, delta, mask or
 * index that is not known; a value that is not known does not matter here), GROUP_FROM_ZERO (an
 * AMD swizzle from an inactive lane: 0, defined), GROUP_FROM_MISUSE (as GROUP_MISUSE).
 */
enum {
    GROUP_FROM_NOBODY = -1,
    GROUP_FROM_OTHER = -2,
    GROUP_FROM_UNKNOWN = -3,
    GROUP_FROM_ZERO = -4,
    GROUP_FROM_MISUSE = -5
};
int group_source(const struct group_call *c, uint32_t i);
