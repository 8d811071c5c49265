/* fuzz/reduce/shrink_dispatch.h -- passes over the dispatch: sizes, options, needs. */
#pragma once

#include "fuzz/reduce/shrink_pass.h"

/* Each as fuzz/reduce/shrink_pass.h says. */
shrink_make shrink_dispatch_sizes, shrink_dispatch_subgroups, shrink_dispatch_options,
    shrink_dispatch_needs;

/* Steps of shrink_dispatch_sizes that others ask for. */
enum {
    SHRINK_ONE_ITEM = 0,
    SHRINK_ONE_GROUP = 1,
    SHRINK_NO_REMAINDER = 3
};
