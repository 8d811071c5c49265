/* oracle/judge_groups/judge_group.h -- the judge's side of group instructions: results from observed operands. */
#pragma once

#include "oracle/interp/tangle.h"
#include "oracle/judge_state/judge_state.h"

/* Results of the site's instruction go to the registers of its invocations, of the n of the
 * work-group. 0 and x->stop when what follows cannot be judged. */
int judge_group_site(struct judge *j, struct invocation *inv, uint32_t n,
                     const struct tangle_site *s);
