/* fuzz/reduce/shrink.h -- smaller modules: one edit at a time, each a candidate that still has to be tried. */
#pragma once

#include "fuzz/reduce/shrink_pass.h"

struct shrink_pass {
    const char *name; /* for progress: "drop stores" */
    shrink_make *make;
};
/* Passes in the order in which they pay: fewer invocations make all that follows cheaper; then the
 * module, the rest of the dispatch, and the inputs. */
enum {
    SHRINK_PASS_N = 0
#define SHRINK(...) +1
#include "fuzz/reduce/shrink.def"
};
extern const struct shrink_pass shrink_passes[SHRINK_PASS_N];
