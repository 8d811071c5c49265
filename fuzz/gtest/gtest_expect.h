/* fuzz/gtest/gtest_expect.h -- lists of expected results, for deqp-runner, out of a campaign. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/* How many tests stand in each list, and how many findings have no name. */
struct gtest_expect_figures {
    uint32_t n_fails, n_flakes, n_skips, n_unnamed;
};
/*
 * Write NAME-fails.txt, NAME-flakes.txt and NAME-skips.txt: the campaign's cases with violations under the names of
 * gtest_suite.h. A flake is a case with a verdict flaky, or of a bug that triage showed in some runs only; a skip is one that
 * hung. A case has a name where no earlier case was changed for it and the campaign was run with --device, so that the case does
 * not depend on what a driver lists. RES_USAGE: the campaign was run without --device, or has several targets, and so no names.
 */
MUST_USE enum res gtest_expect_write(struct journal *j, const struct campaign *c, const char *name,
                                     struct gtest_expect_figures *out, struct arena *a,
                                     struct err *e);
