/* fuzz/campaign/sched_case.h -- the case of an index: its profile, its fresh tape, what that means. */
#pragma once

#include "base/testcase.h"
#include "gen/case/gen.h"

enum {
    SCHED_TURNS = 16
};

/* Profile of case `index` of a campaign: PROFILE_ALL takes turns. Of SCHED_TURNS cases five are programs, four
 * max-error, three atomics alone, two groups alone, and two hold atomics, groups and mathematics. */
enum profile sched_pick_profile(enum profile profile, uint64_t index);
/* A random tape by (seed, index), for whatever profile and environment: where those of campaigns begin. */
MUST_USE enum res sched_make_tape(uint64_t seed, uint64_t index, struct arena *a, struct tape *tape,
                                  struct err *e);
/* A fresh case of a campaign, whose needs are allowed. */
struct sched_case {
    enum profile profile; /* of the campaign */
    uint64_t seed, index;
    enum env env;
    const struct needs *allowed; /* NULL: all */
};
/* The tape of such a case, in the arena; for most cases it is drawn for one need (gen/case/favour.h). */
MUST_USE enum res sched_make_fresh(const struct sched_case *of, struct arena *a, struct tape *tape,
                                   struct err *e);
/* The case and its tape, in the arena. tc->profile is the case's own. */
MUST_USE enum res sched_make_allowed(const struct sched_case *of, struct arena *a,
                                     struct testcase *tc, struct tape *tape, struct err *e);
/* The same where all needs are allowed. */
MUST_USE enum res sched_make_case(enum profile profile, uint64_t seed, uint64_t index, enum env env,
                                  struct arena *a, struct testcase *tc, struct tape *tape,
                                  struct err *e);
