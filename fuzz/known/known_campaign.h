/* fuzz/known/known_campaign.h -- a campaign that was run without its known bugs, judged again with them. */
#pragma once

#include "fuzz/journal/journal.h"
#include "fuzz/known/expected_failures.h"

/*
 * Judge the kept cases of each violation again with the models of the list, as they were observed: nothing is run. A
 * finding whose kept cases (the oldest KNOWN_CASES) are all explained gets the bug's name as `known_as`; one that is
 * left in a single case stays as it is. Findings that have a name already are passed over. *n counts the cases judged.
 */
enum {
    KNOWN_CASES = 8
};
MUST_USE enum res known_campaign_explain(const struct expected_failures *k, struct journal *j,
                                         struct campaign *c, uint32_t *n, struct arena *a,
                                         struct err *e);
/*
 * The same of buckets that triage has made smaller, by their smallest case: as it was found, a case may break rules for other
 * reasons as well, which a model cannot explain. The whole bucket gets the name. *n counts the buckets that got one.
 */
MUST_USE enum res known_campaign_explain_smallest(const struct expected_failures *k,
                                                  struct journal *j, struct campaign *c,
                                                  uint32_t *n, struct arena *a, struct err *e);
/* Note in the journal that the campaign is run with this list of known bugs: its reports use the list as well. */
MUST_USE enum res known_campaign_note(struct journal *j, const char *path, struct arena *a,
                                      struct err *e);
const char *known_campaign_get_note(struct journal *j, struct arena *a); /* NULL: none is noted */
