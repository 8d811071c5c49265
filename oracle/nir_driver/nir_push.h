/* oracle/nir_driver/nir_push.h -- which words of the push constants a module loads, as RADV counts them: it hands some of them to a
 * shader as arguments, and no argument says which word it is. */
#pragma once

#include "base/testcase.h"

/* The push constants that a module loads. */
struct nir_push {
    uint64_t
        words; /* bit N: bytes 4N to 4N + 3 are loaded at an offset that is constant, in elements of at least 32 bits */
    bool
        has_others; /* elements are loaded that have fewer bits, or at an offset that is not constant */
};
/* false: the module uses them in a way that is not known here, or the arena is full. A module without push constants has
 * none: {0, false}. Specialization constants have the values of the case. A load whose result no instruction uses does not
 * count; neither does that of a component of a ballot beyond the first two: RADV's ballots have 64 bits, whatever the size of the sub-group. */
bool nir_push_find(const struct testcase *tc, struct arena *a, struct nir_push *out);
