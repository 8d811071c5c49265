/* fuzz/triage/triage_share.h -- a campaign's buckets dealt to several machines, each with a journal of its own. */
#pragma once

#include "fuzz/triage/triage.h"

/*
 * Every n-th of the buckets that triage_run would look into, in its order, from the shard's on, as the journal of
 * `folder`, which is there and has none: the findings of these buckets with all of their cases under the ids that they have
 * in `j`, and no runs. It is of the same campaign as `j`, without any of its parts, so that halfulp merge takes from it
 * nothing but what triage finds out. *n: how many buckets.
 */
MUST_USE enum res triage_share_make(struct journal *j, const struct campaign *c, bool redo,
                                    struct shard shard, const char *folder, uint32_t *n,
                                    struct err *e);
/* Is it the journal of this shard of that campaign? RES_USAGE: no. */
MUST_USE enum res triage_share_check(struct journal *share, struct journal *j, struct shard shard,
                                     struct err *e);
