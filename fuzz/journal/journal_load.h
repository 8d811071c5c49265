/* fuzz/journal/journal_load.h -- the whole campaign out of the journal, for reports and replays. */
#pragma once

#include "fuzz/journal/campaign_data.h"

MUST_USE enum res journal_load(struct journal *j, struct arena *a, struct campaign *out,
                               struct err *e);
/* Wall time of all sessions so far. */
MUST_USE enum res journal_sum_wall(struct journal *j, uint64_t *wall_ns, struct err *e);
