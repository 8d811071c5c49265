/* fuzz/gtest/gtest_suite.c -- generated cases under stable names: halfulp.API.PROFILE.SEED.INDEX. */
#include "fuzz/gtest/gtest_suite.h"

#include <inttypes.h>

#include "fuzz/campaign/sched_case.h"
#include "gen/tape/profile.h"

const char *gtest_suite_name_group(const struct gtest_suite *s, uint64_t seed, struct arena *a)
{
    return arena_printf(a, "halfulp.%s.%s.%" PRIu64, env_names[s->env], profile_names[s->profile],
                        seed);
}

const char *gtest_suite_name_case(const struct gtest_suite *s, uint64_t seed, uint64_t index,
                                  struct arena *a)
{
    return arena_printf(a, "halfulp.%s.%s.%" PRIu64 ".%" PRIu64, env_names[s->env],
                        profile_names[s->profile], seed, index);
}

enum res gtest_suite_make_case(const struct gtest_suite *s, uint64_t seed, uint64_t index,
                               struct arena *a, struct testcase *out, struct err *e)
{
    struct tape tape;
    struct sched_case const of = {s->profile, seed, index, s->env, s->allowed};
    return sched_make_allowed(&of, a, out, &tape, e);
}
