/* fuzz/triage/triage.h -- what is found out about each bucket after a campaign: how reliable, how small,
 * what passes, who else has it; kept in the journal. */
#pragma once

#include <stdio.h>

#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/targets/targets.h"

enum {
    TRIAGE_RUNS = 10 /* alone, and as many with the machine loaded */
};

struct triage_options {
    const struct target_list *targets; /* all that are here */
    uint64_t max_ns;                   /* of the whole */
    uint64_t reduce_ns;                /* of one reduction */
    uint32_t n_workers;
    int is_trusted; /* also what this program neither made nor can vouch for */
    int redo;       /* also what is in the journal already */
    FILE *progress; /* NULL: none */
};
/* A bucket whose case may not be run (fuzz/trial/trust.h) is told on standard error and left without a record;
 * *n_refused counts them.
 * Each bucket of the campaign in turn by its smallest case, those that no row expects first, of them the
 * most severe; one that the time does not reach is left
 * without a record and taken up by the next call. A driver's trouble is data; RES_IO only where the
 * journal fails. */
MUST_USE enum res triage_run(struct journal *j, const struct campaign *c,
                             const struct triage_options *o, uint32_t *n_refused, struct err *e);
