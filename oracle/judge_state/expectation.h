/* oracle/judge_state/expectation.h -- what a word of a buffer may hold, for those who have no oracle. */
#pragma once

#include "base/expect.h"
#include "oracle/judge_state/judge_state.h"

/* The word that was observed may hold these very bits; a signalling NaN of format fmt (-1: an
 * integer) also its quiet form. NULL: it lies in no buffer, is smaller than a byte, or the arena is
 * full. */
const struct expect *expectation_of_bits(const struct observed *o, int fmt, uint64_t bits,
                                         struct arena *a);
/* It may hold any of these integers. NULL also where some of their bits are free. */
const struct expect *expectation_of_integers(const struct observed *o, const struct accuracy_int *s,
                                             struct arena *a);
/* It may hold any member of the set. NULL also where the set permits anything. */
const struct expect *expectation_of_set(const struct observed *o, const struct set *s,
                                        struct arena *a);
