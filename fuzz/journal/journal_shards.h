/* fuzz/journal/journal_shards.h -- of which parts a merged journal is made, and which are missing. */
#pragma once

#include "fuzz/journal/journal.h"

/* How many parts the campaign of a merged journal has; 0: it is the journal of one run or shard. */
uint32_t journal_count_shards(struct journal *j);
/* Note that it is merged, of a campaign of n shards. */
MUST_USE enum res journal_put_shards(struct journal *j, uint32_t n, struct err *e);
/* "Shards 3 and 7 of 100 are missing."; "": none is, or it is not merged. In the arena. */
MUST_USE enum res journal_find_missing(struct journal *j, struct arena *a, const char **out,
                                       struct err *e);
/* The shard of n that a case is of, from 0, by its index. */
uint32_t journal_shard_of(uint32_t n, uint64_t case_index);
