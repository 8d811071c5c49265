/* oracle/judge_values/compare.h -- compares one observed value with what is permitted, counts it, and reports it if
 * it is wrong.
 *
 * Computed from the observed word and the value that the interpretation has for it (oracle/interp: a constant, a set,
 * a mask, a choice of integers, a sum of a group). Every verdict on a single value is decided here: judge_value. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* Judges the observed value o, of which v is permitted. false: nothing was observed of v, because its word was not stored. */
bool judge_value(struct judge *j, const struct observed *o, struct val v);
/* The invocation has stored a word. So a word that it did not store before in the same block is a lost result: the
 * text of that finding is amended. */
void judge_note_stored(struct judge *j, const struct invocation *inv);
