/* fuzz/kernel/kernel_guess.h -- a case of a kernel in which what the user has left open is guessed. */
#pragma once

#include "fuzz/kernel/kernel_case.h"

struct kernel_guess {
    enum kernel_content content; /* of buffers: what their integers are */
    double content_number;       /* of KERNEL_CONTENT_EQUAL */
    bool is_plain;               /* floats of buffers are ordinary numbers */
    uint32_t
        local; /* work-items of a work-group, in a square if it has two dimensions; 0: the usual */
    bool is_row;       /* but in a row if this is set */
    bool is_one_group; /* the dispatch is one work-group */
    uint32_t factor;   /* elements of a buffer for each invocation */
    uint32_t
        count; /* value of integers that are no buffer's elements; 0: the number of invocations */
    bool is_falling; /* each argument by value has half the value of the one before */
};
/* RES_USAGE: the wishes do not fit the kernel, or a size is beyond what a case may have, and which. */
MUST_USE enum res kernel_guess_make(const struct kernel *k, const struct kernel_wishes *w,
                                    const struct kernel_guess *g, uint64_t seed, struct arena *a,
                                    struct testcase *out, struct err *e);
