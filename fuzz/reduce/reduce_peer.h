/* fuzz/reduce/reduce_peer.h -- what spirv-reduce makes of a case. */
#pragma once

#include "fuzz/reduce/reduce.h"

/* What spirv-reduce makes of the case's module, asking `halfulp check` for each of
 * its steps. 0: the program is not there, found nothing, or ran out of time. */
int reduce_try_peer(const struct reduce_options *o, const struct trial_wanted *w,
                    const struct testcase *tc, const struct observation *ob, uint64_t max_ns,
                    struct arena *a, struct testcase *out);
