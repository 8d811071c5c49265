/* oracle/judge_memory/finish.h -- what is judged after the dispatch: final values, orders of atomics, untouched bytes.
 *
 * Computed from the cells and events that access.c has collected, and from the buffers after the dispatch. Whether an order
 * of the accesses exists is decided by oracle/modorder, whose searches are bounded; a search that ends without an answer
 * leaves the location inconclusive, or bounded by its sum. Each weaker rule that may excuse a broken order costs one more
 * check. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* Judges memory after the dispatch, into j->out. RES_NOMEM: the arena is full. */
MUST_USE enum res finish_memory(struct judge *j, struct err *e);
