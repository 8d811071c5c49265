/* oracle/judge_state/group_record.h -- which invocations executed a group instruction together, kept for what is
 * said of it later. */
#pragma once

#include "oracle/group/group_call.h"
#include "oracle/judge_state/judge_state.h"

/* One dynamic instance, kept for what is said of it later. */
struct group_record {
    struct group_call call;
    const uint32_t *lane; /* [call.n] invocations of the work-group */
    uint32_t group;       /* which work-group */
    int is_partial;       /* others of theirs did not take part */
    uint8_t mask, worst;  /* enum feature_mask, feature_class; only where there is a map */
    struct group_record *next;
};
/* Of those who executed `in` together with inv; NULL where that is not kept. */
const struct group_record *judge_group_record(const struct judge *j, const struct mod_inst *in,
                                              const struct invocation *inv);
/* "0:0x3f800000 1:0x40000000 ...": operands of those who executed `in` together with inv; "" where
 * that is not kept. */
const char *judge_group_operands(const struct judge *j, const struct mod_inst *in,
                                 const struct invocation *inv);
