/* oracle/feature/feature_group.h -- describes the participants of a group instruction as features. */
#pragma once

#include "oracle/group/group_call.h"

/* Who came to a group instruction, and the least usual of what they brought. */
void feature_describe_group(const struct group_call *c, int is_partial, uint8_t *mask,
                            uint8_t *worst);
