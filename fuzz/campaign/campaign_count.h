/* fuzz/campaign/campaign_count.h -- how many bugs a campaign has: the one count of progress, lists and pages. */
#pragma once

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"

/* Is finding i the one that names a bucket of violations of a target? */
bool campaign_names_bug(const struct campaign *c, uint32_t i);
/* Buckets of violations. A known one fits a row of the list that the campaign was marked
 * with (expected_failures_mark). */
struct campaign_bugs {
    uint32_t n_new, n_known;
    uint32_t n_open; /* of the new ones: not looked into yet */
};
struct campaign_bugs campaign_count_bugs(const struct campaign *c);
/* The bugs of a campaign that is running, for progress: those that its end would tell of now. They are counted anew only where
 * there are more signatures than at the last time. */
struct campaign_counter {
    uint64_t n_signatures, n_bugs;
    uint64_t new_ns; /* when there was a bug more; 0: there was none since the first count */
};
struct expected_failures; /* fuzz/known/expected_failures.h; NULL: no list */
void campaign_count_again(struct campaign_counter *n, struct journal *j,
                          struct expected_failures *known);
