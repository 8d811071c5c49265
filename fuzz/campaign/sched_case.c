/* fuzz/campaign/sched_case.c -- the case of an index: its profile, its fresh tape, what that means. */
#include "fuzz/campaign/sched_case.h"

#include "gen/case/favour.h"
#include "gen/tape/tape_random.h"

enum profile sched_pick_profile(enum profile profile, uint64_t index)
{
    /* Chosen for planted faults found per second: max-error shows nearly all faults of mathematics, atomics
     * and groups alone are cheap; and so that programs give each pair of instruction and type its cases. */
    static const enum profile parts[SCHED_TURNS] = {
        PROFILE_ATOMICS,  PROFILE_MAXERROR, PROFILE_PROGRAMS, PROFILE_GROUPS,
        PROFILE_ATOMICS,  PROFILE_PROGRAMS, PROFILE_MAXERROR, PROFILE_ALL,
        PROFILE_PROGRAMS, PROFILE_MAXERROR, PROFILE_ATOMICS,  PROFILE_PROGRAMS,
        PROFILE_GROUPS,   PROFILE_MAXERROR, PROFILE_ALL,      PROFILE_PROGRAMS,
    };
    return profile == PROFILE_ALL ? parts[index % SCHED_TURNS] : profile;
}

enum res sched_make_tape(uint64_t seed, uint64_t index, struct arena *a, struct tape *tape,
                         struct err *e)
{
    struct rng root = rng_seed(seed);
    struct rng rng = rng_fork(&root, index);
    return tape_random(tape, &rng, a, e);
}

enum res sched_make_fresh(const struct sched_case *of, struct arena *a, struct tape *tape,
                          struct err *e)
{
    struct rng root = rng_seed(of->seed);
    struct rng rng = rng_fork(&root, of->index);
    struct favour_of const to = {sched_pick_profile(of->profile, of->index), of->env, of->allowed};
    int need = -1;
    return favour_make_tape(&to, &rng, a, tape, &need, e);
}

enum res sched_make_allowed(const struct sched_case *of, struct arena *a, struct testcase *tc,
                            struct tape *tape, struct err *e)
{
    TRY(sched_make_fresh(of, a, tape, e));
    struct tape reader = *tape;
    return gen_case(sched_pick_profile(of->profile, of->index), of->env, &reader, a, tc, NULL, e);
}

enum res sched_make_case(enum profile profile, uint64_t seed, uint64_t index, enum env env,
                         struct arena *a, struct testcase *tc, struct tape *tape, struct err *e)
{
    struct sched_case const of = {profile, seed, index, env, NULL};
    return sched_make_allowed(&of, a, tc, tape, e);
}
