/* fuzz/reduce/reduce_parts.h -- what the files of the reducer share. */
#pragma once

#include "fuzz/reduce/reduce.h"

/* fuzz/reduce/reduce_tape.c: candidate `step` of a tape, coarse to fine: without whole subtrees, then with
 * decisions set to the smallest. 1: *out is it, in `a`; -1: there is no such step. */
int reduce_tape_make(const struct tape *t, uint32_t step, struct arena *a, struct tape *out);

/* fuzz/reduce/reduce_peer.c: what spirv-reduce makes of the case's module, asking `halfulp check` for each of
 * its steps. 0: the program is not there, found nothing, or ran out of time. */
int reduce_try_peer(const struct reduce_options *o, const struct trial_wanted *w,
                    const struct testcase *tc, const struct observation *ob, uint64_t max_ns,
                    struct arena *a, struct testcase *out);
