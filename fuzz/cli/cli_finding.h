/* fuzz/cli/cli_finding.h -- a finding of a campaign, as a command is given it. */
#pragma once

#include "fuzz/journal/journal_finding.h"
#include "fuzz/reduce/reduce.h"

/* The finding of that number and its case, in `a`. */
MUST_USE enum res cli_get_finding(struct journal *j, int64_t id, struct journal_finding *f,
                                  struct reduce_subject *s, struct arena *a, struct err *e);
/* The same of a campaign that is not open. */
MUST_USE enum res cli_read_finding(const char *folder, int64_t id, struct journal_finding *f,
                                   struct reduce_subject *s, struct arena *a, struct err *e);
