/* fuzz/trial/trial_parts.h -- what the two ways to try a case share. */
#pragma once

#include "fuzz/trial/trial.h"

#define TRIAL_ARENA_BYTES ((size_t)192 << 20) /* of one run */

/* The finding that is looked for, or NULL. */
const struct finding *trial_find_wanted(const struct trial_wanted *w, const struct observation *ob,
                                        const struct judgement *g, struct arena *a);
