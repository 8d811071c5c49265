/* fuzz/journal/journal_cases.h -- in how many cases each bug was seen. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/* Set n_cases of each finding that names a bucket, as the buckets are now. A case with many wrong values counts once. */
MUST_USE enum res journal_count_cases(struct journal *j, struct campaign *c, struct arena *scratch,
                                      struct err *e);
