/* fuzz/triage/worse.h -- what became worse in the code that compilers made of the cases of an earlier campaign. */
#pragma once

#include "fuzz/journal/campaign_data.h"

struct journal;

/*
 * Set c->statistics: each statistic of the cases that both campaigns have, of each target that both have. A case is the
 * same if both journals have its index with the same SPIR-V.
 *   percent  a case that became worse by more than this share of what it was is counted in n_worse
 * A target is compared with the old one of its name. Without one it is compared with the only old target for the same
 * device, else, where only one target of each campaign is left, with that one. So campaigns of two versions of a driver
 * whose targets have two names can be compared.
 */
MUST_USE enum res worse_compare(struct campaign *c, struct journal *j, const struct campaign *old,
                                struct journal *old_journal, uint32_t percent, struct arena *a,
                                struct err *e);
