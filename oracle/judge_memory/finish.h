/* oracle/judge_memory/finish.h -- the end of a judged dispatch: final values, chains, untouched bytes. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* The dispatch is over: final values of private cells, the modification-order check of contended
 * ones, bytes that nobody may have written. RES_NOMEM when the arena is full. */
MUST_USE enum res finish_memory(struct judge *j, struct err *e);
