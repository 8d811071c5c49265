/* fuzz/cli/cli_finding.h -- a finding of a campaign, as a command is given it. */
#pragma once

#include "fuzz/io/bundle.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/reduce/reduce.h"

/* A word CAMPAIGN#ID, where no file has that name, as folder and number; any other as it is, with number 0.
 * RES_USAGE: what is after # is no number. */
MUST_USE enum res cli_split_finding(const char *word, const char **folder, int64_t *id,
                                    struct arena *a, struct err *e);
/* The finding of that number and its case, in `a`. */
MUST_USE enum res cli_get_finding(struct journal *j, int64_t id, struct journal_finding *f,
                                  struct reduce_subject *s, struct arena *a, struct err *e);
/* The same of a campaign that is not open. */
MUST_USE enum res cli_read_finding(const char *folder, int64_t id, struct journal_finding *f,
                                   struct reduce_subject *s, struct arena *a, struct err *e);
/* The case that a word names, with what was observed: a finding CAMPAIGN#ID, or a bundle. RES_USAGE: what is not there. */
MUST_USE enum res cli_read_case(const char *word, struct bundle *out, struct arena *a,
                                struct err *e);
