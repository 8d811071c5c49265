/* fuzz/merge/merge_campaign.h -- journals of campaigns into one. */
#pragma once

#include "fuzz/merge/merge.h"

/* As merge_folders, of folders with a journal. */
MUST_USE enum res merge_campaigns(const struct merge_words *w, struct arena *a,
                                  struct merge_summary *out, struct err *e);
