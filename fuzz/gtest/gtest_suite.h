/* fuzz/gtest/gtest_suite.h -- generated cases under stable names: halfulp.API.PROFILE.SEED.INDEX. */
#pragma once

#include "base/testcase.h"
#include "gen/case/gen.h"

/* The cases 0 to n_cases - 1 of each of n_seeds seeds from `seed` on. A name means the same case on every machine, as long as
 * GEN_VERSION and `allowed` (the needs that a case may have; NULL: all) are the same. */
struct gtest_suite {
    enum env env;
    enum profile profile;
    uint64_t seed, n_seeds, n_cases;
    const struct needs *allowed;
};
/* The name up to the last '.', and all of it. Where the arena is full the name is "", and a->is_full says so. */
const char *gtest_suite_name_group(const struct gtest_suite *s, uint64_t seed, struct arena *a);
const char *gtest_suite_name_case(const struct gtest_suite *s, uint64_t seed, uint64_t index,
                                  struct arena *a);
/* That case, in the arena. */
MUST_USE enum res gtest_suite_make_case(const struct gtest_suite *s, uint64_t seed, uint64_t index,
                                        struct arena *a, struct testcase *out, struct err *e);
