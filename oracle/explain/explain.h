/* oracle/explain/explain.h -- a run judged as one of a device that is taken to have faults.
 *
 * Computes what remains of a judgement if a device with the faults of a chain of hypotheses may give what these
 * faults give, and how well each hypothesis agrees with what was observed (struct hypothesis: n_sites, n_taken,
 * n_kept, n_free). Method: judge_run under a policy that widens permitted values at each site at which a fault acts.
 * A hypothesis costs at most a few interpretations of the case. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/judgement/judgement.h"

/*
 * judge_run (oracle/judge/judge.h) that also permits what the faults of the chain give: the findings that remain have another
 * cause. Sets the results of each hypothesis of the chain; all are 0 if nothing was interpreted. Errors as of judge_run.
 */
MUST_USE enum res explain_run(const struct testcase *tc, const struct observation *ob,
                              struct hypothesis *all, struct arena *a, struct judgement *out,
                              struct err *e);
