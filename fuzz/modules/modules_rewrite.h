/* fuzz/modules/modules_rewrite.h -- another case out of a case: its module with one or two things changed. */
#pragma once

#include "base/testcase.h"

/* Changes that fuzz/variant knows, at instructions of its functions, all drawn by `seed`. What was changed, "" where no drawn
 * change applies: then tc is as it was. The module stays valid; who wants to run it asks whether it may be run. */
const char *modules_rewrite(struct testcase *tc, uint64_t seed, struct arena *a);
