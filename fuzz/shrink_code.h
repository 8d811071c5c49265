/* fuzz/shrink_code.h -- the passes by name; all are as shrink_make, see fuzz/shrink.h. */
#ifndef HALFULP_FUZZ_SHRINK_CODE_H
#define HALFULP_FUZZ_SHRINK_CODE_H

#include "fuzz/shrink.h"

#define SHRINK(function, ...)                                                                      \
    int function(const struct testcase *tc, uint32_t step, struct arena *a, struct testcase *out);
#include "fuzz/shrink.def"

/* Steps of shrink_dispatch_sizes that others ask for. */
enum {
    SHRINK_ONE_ITEM = 0,
    SHRINK_ONE_GROUP = 1,
    SHRINK_NO_REMAINDER = 3
};

#endif
