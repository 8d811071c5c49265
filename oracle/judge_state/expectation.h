/* oracle/judge_state/expectation.h -- what a word of a buffer may hold, as plain ranges that a bundle can carry, so that the
 * bug can be shown without the oracle. Computed from an observed word and its permitted bits, integers or set. */
#pragma once

#include "base/expect.h"
#include "oracle/judge_state/judge_state.h"

/* The observed word may hold these bits alone; if they are a signalling NaN of format fmt (-1: an integer), also its
 * quiet form. NULL: the word lies in no buffer, is smaller than a byte, or the arena is full. */
const struct expect *expectation_of_bits(const struct observed *o, int fmt, uint64_t bits,
                                         struct arena *a);
/* The word may hold any of these integers. NULL also where some of their bits are free. */
const struct expect *expectation_of_integers(const struct observed *o, const struct accuracy_int *s,
                                             struct arena *a);
/* The word may hold any member of the set. NULL also where the set permits anything. */
const struct expect *expectation_of_set(const struct observed *o, const struct set *s,
                                        struct arena *a);
