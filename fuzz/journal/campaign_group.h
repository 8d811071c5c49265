/* fuzz/journal/campaign_group.h -- the findings of a campaign as buckets, which are bugs: by their signatures (bucket.h), by
 * what lists say of them, and by what triage found out. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/* Is what triage found out about a bucket that it is the bug of another one of its target and class, which has that
 * core: does that fault (struct campaign_triage; "": none) explain all of both, or is that core what goes wrong first? */
bool campaign_is_bug_of(const struct campaign_triage *t, const char *core, const char *bug);
/* Group the findings of each target and class into buckets (bucket, n_all, core, family), those of a row by
 * `expected`, others with `known_as` by that;
 * those of two targets or classes, or a violation and what is permitted, are never one. Then buckets that triage found to be one bug are joined. */
MUST_USE enum res campaign_group(struct campaign *c, struct arena *a, struct err *e);
