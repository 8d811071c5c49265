/* gen/case/favour.h -- the random tape of a case that is drawn for one need: so that each feature of a device is in enough
 * cases, with others and alone. */
#pragma once

#include "base/caps.h"
#include "base/testcase.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"

/*
 * A tape is drawn by chance first. Most tapes are then drawn for a need: tapes are drawn until the case of one has that need,
 * FAVOUR_TRIES at most; if none has it, the first tape stays. In a third of the found cases each other need is then forbidden
 * that the case can do without, so that the case has little beside the need. The rows of favour.def are drawn for more
 * often than other needs. A need that is not allowed, or that cases of the profile do not have, is not drawn for.
 */
enum {
    FAVOUR_TRIES = 64,
    FAVOUR_ONE_IN = 16, /* one in so many cases of a profile is drawn for each row of favour.def */
    FAVOUR_MOST_PERCENT = 85 /* but all rows together have at most this share of the cases */
};
struct favour_of {
    enum profile profile; /* of the case */
    enum env env;
    const struct needs *allowed; /* NULL: all */
};
/* The tape in the arena, and the need that it was drawn for and has, or -1. RES_NOMEM. */
MUST_USE enum res favour_make_tape(const struct favour_of *of, struct rng *rng, struct arena *a,
                                   struct tape *out, int *need, struct err *e);
/* Is the need a row of favour.def that cases of the profile may have? */
bool favour_has_row(enum need_id need, enum profile profile);
