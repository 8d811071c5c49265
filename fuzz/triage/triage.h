/* fuzz/triage/triage.h -- what is found out about each bucket after a campaign: how reliable, how small,
 * what passes, who else has it; kept in the journal. */
#pragma once

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"
#include "fuzz/targets/targets.h"

struct progress; /* fuzz/process/progress.h */

enum {
    TRIAGE_RUNS = 10 /* alone, and as many with the machine loaded */
};

struct triage_options {
    const struct target_list *targets; /* all that are here */
    uint64_t max_ns;    /* of the whole: what is going on then is the last of it, such as a run */
    uint64_t reduce_ns; /* of one reduction */
    uint32_t n_workers;
    int is_trusted;            /* also what this program neither made nor can vouch for */
    int redo;                  /* also what is in the journal already, and what a row expects */
    struct progress *progress; /* NULL: none */
};
/* The buckets that are to be looked into, by the finding that names each, in their turn; NULL: no memory. *n_known: those
 * that the list of known bugs explains, which are left out without redo. */
const struct campaign_finding **triage_list_buckets(const struct campaign *c, bool redo,
                                                    struct arena *a, uint32_t *n,
                                                    uint32_t *n_known);
/* What became of the buckets that were to be looked into. */
struct triage_figures {
    uint32_t n, n_done;
    uint32_t n_cut; /* looked into in part, for the time, or a signal; taken up by the next call */
    uint32_t n_known;   /* not of n: a row expects them, and redo is 0 */
    uint32_t n_refused; /* their case may not be run */
    uint32_t n_absent;  /* their target is not here */
    uint32_t n_late;    /* there was no time left, or a signal came */
    uint32_t n_failed;  /* their case was not kept, or could not be run */
    uint64_t wall_ns;
};
/* A bucket whose case may not be run (fuzz/trial/trust.h) is told on standard error and left without a record.
 * Each bucket of the campaign in turn by its smallest case, those that no row expects first, of them the
 * most severe; one that the time does not reach is left
 * without a record, one in which it ends has what was found out until then (is_cut), and the next call takes them up. A driver's trouble is data; RES_IO only where the
 * journal fails. */
MUST_USE enum res triage_run(struct journal *j, const struct campaign *c,
                             const struct triage_options *o, struct triage_figures *out,
                             struct err *e);
