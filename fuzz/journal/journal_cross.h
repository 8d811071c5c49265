/* fuzz/journal/journal_cross.h -- what differs between runs of one case: the values on two targets, and the verdicts of one
 * driver on a module and on source text. */
#pragma once

#include "fuzz/io/db.h"
#include "fuzz/journal/campaign_data.h"

/* Fill c->cross, and c->languages with c->n_in_both, of a campaign whose plan and targets are there. */
MUST_USE enum res journal_load_cross(struct db *d, struct arena *a, struct campaign *out,
                                     struct err *e);
MUST_USE enum res journal_load_languages(struct db *d, struct arena *a, struct campaign *out,
                                         struct err *e);
/* The environment of a target's cases; a simulated one takes both alternately. */
const char *journal_find_env(const struct campaign_target *t, uint64_t index);
/* The number that a query of one row answers; negative on error. */
int64_t journal_count_rows(struct stmt *s);
