/* oracle/judge/status.h -- the verdict on a run that did not end well, from its status, its phase, the driver's log
 * and what is in the module; nothing is interpreted. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* Puts the verdict, and a finding if a rule is broken, into j->out. */
void judge_status(struct judge *j);
/* Is the global size no multiple of the local size, so that the last work-groups of the dispatch are smaller? */
int judge_is_uneven(const struct testcase *tc);
