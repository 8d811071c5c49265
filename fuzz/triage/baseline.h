/* fuzz/triage/baseline.h -- a campaign against an earlier one: what is new, still there, gone or fixed. */
#pragma once

#include "fuzz/journal/campaign_data.h"
#include "fuzz/targets/targets.h"

struct progress; /* fuzz/process/progress.h */

enum {
    BASELINE_RUNS = 10 /* of a case of a bucket that is gone, 3 of one that hangs; the first that
                        * shows it ends them */
};

struct baseline_options {
    const struct target_list *targets; /* to run old cases on; NULL: none is run */
    uint64_t max_ns;                   /* what is not reached by then is not known */
    struct progress *progress;         /* NULL: none */
    struct journal *journal;           /* of this campaign; NULL: statistics are not compared */
    uint32_t worse_percent;            /* more than this much worse counts as worse */
    int is_trusted;      /* run also what this program neither made nor can vouch for */
    uint32_t *n_refused; /* buckets whose case was not run for that; NULL: not asked for */
};

/*
 * Compare the buckets of violations of `c` with those of `old`: the folder of an earlier campaign, or
 * a report.json, whose folder may hold the journal. A bucket is known again by its target and its
 * core (fuzz/journal/bucket.h). Sets c->baseline, the `baseline` of each finding of such a bucket, c->gone and
 * c->statistics (fuzz/triage/worse.h).
 *
 * A bucket that `old` alone has is fixed only when its smallest and its first case, run again on the
 * target of that name, end and do not show it; one that was flaky is never called fixed. Where the
 * journal is not at hand nothing is run.
 * RES_FORMAT, RES_IO: `old` cannot be read; a driver's trouble is data.
 */
MUST_USE enum res baseline_compare(struct campaign *c, const char *old,
                                   const struct baseline_options *o, struct arena *a,
                                   struct err *e);
