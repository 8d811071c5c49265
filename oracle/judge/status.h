/* oracle/judge/status.h -- runs that did not end well, and dispatches that need not. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* What a run that did not end well is. */
void judge_status(struct judge *j);
/* Are the last groups of the dispatch smaller? */
int judge_is_uneven(const struct testcase *tc);
