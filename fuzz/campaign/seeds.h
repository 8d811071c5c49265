/* fuzz/campaign/seeds.h -- the inputs that a guided campaign begins with, in a folder of its own. */
#pragma once

#include "gen/case/gen.h"

struct seeds_options {
    const char *folder; /* of the campaign: they go into its "seeds" */
    const char *corpus; /* folder of tape files to take; NULL: none */
    enum profile profile;
    uint64_t seed; /* of random ones */
};
struct seeds_figures {
    uint32_t n_taken, n_random;
    uint32_t n_unfit; /* files that are no tapes of this generator version, or of another profile */
};

/* Take the tapes of the corpus that fit the profile (with PROFILE_ALL each of its parts fits), or make
 * a handful of random ones where none does. Their names count up, in the order of the corpus' names: AFL++
 * runs them by name. RES_USAGE: the corpus is no folder. RES_IO. */
MUST_USE enum res seeds_make(const struct seeds_options *o, struct seeds_figures *out,
                             struct err *e);
/* Is an input one of the seeds of the campaign? Its folder is read for that. */
int seeds_have(const char *folder, const void *input, size_t n);
