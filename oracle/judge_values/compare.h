/* oracle/judge_values/compare.h -- an observed value against what is permitted: counted, and reported. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* Compare it with the permitted value v, count it, report it. false: nothing was seen of v, as its word was not stored. */
bool judge_value(struct judge *j, const struct observed *o, struct val v);
/* The invocation has stored a word. What it did not store before in the same block is told as a result that is lost: the
 * invocation came there. */
void judge_note_stored(struct judge *j, const struct invocation *inv);
