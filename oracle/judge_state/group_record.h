/* oracle/judge_state/group_record.h -- which invocations executed a dynamic instance of a group instruction together,
 * with their operands. Kept while the case is interpreted, for the text and the features of findings. */
#pragma once

#include "oracle/group/group_call.h"
#include "oracle/judge_state/judge_state.h"

/* One dynamic instance. */
struct group_record {
    struct group_call call;
    const uint32_t *lane; /* [call.n] invocations of the work-group */
    uint32_t group;       /* which work-group */
    int is_partial;       /* some invocations of the group did not take part */
    uint8_t mask, worst;  /* enum feature_mask, feature_class; only where there is a map */
    struct group_record *next;
};
/* The record of the instance of `in` that inv executed last; NULL: there is none. */
const struct group_record *judge_group_record(const struct judge *j, const struct mod_inst *in,
                                              const struct invocation *inv);
/* " 0:0x3f800000 1:0x40000000 ...": ids and operands of the participants of that instance; "" where there is no record. */
const char *judge_group_operands(const struct judge *j, const struct mod_inst *in,
                                 const struct invocation *inv);
