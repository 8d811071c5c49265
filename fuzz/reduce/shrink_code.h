/* fuzz/reduce/shrink_code.h -- the passes by name; all are as shrink_make, see fuzz/reduce/shrink.h. */
#pragma once

#include "fuzz/reduce/shrink.h"

#define SHRINK(function, ...)                                                                      \
    int function(const struct testcase *tc, uint32_t step, struct arena *a, struct testcase *out);
#include "fuzz/reduce/shrink.def"

/* Steps of shrink_dispatch_sizes that others ask for. */
enum {
    SHRINK_ONE_ITEM = 0,
    SHRINK_ONE_GROUP = 1,
    SHRINK_NO_REMAINDER = 3
};
