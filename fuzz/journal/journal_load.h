/* fuzz/journal/journal_load.h -- the whole campaign out of the journal, for reports and replays. */
#pragma once

#include "fuzz/journal/campaign_data.h"

MUST_USE enum res journal_load(struct journal *j, struct arena *a, struct campaign *out,
                               struct err *e);
/* Wall time of all sessions so far. */
MUST_USE enum res journal_sum_wall(struct journal *j, uint64_t *wall_ns, struct err *e);
/* The command that makes a case of the campaign and builds or runs it on `targets`; t: the first of them, or NULL. */
const char *journal_write_rebuild(const struct campaign *c, const struct campaign_target *t,
                                  const char *targets, uint64_t case_index, struct arena *a);
