/* oracle/explain/explain.h -- a run judged as one of a device that is taken to have faults. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/judgement/judgement.h"

/*
 * judge_run (oracle/judge/judge.h), where what the faults of the chain give is permitted as well: the findings that are left
 * have another cause. Sets the results of each hypothesis of the chain; all are 0 where nothing was interpreted.
 * Errors as of judge_run.
 */
MUST_USE enum res explain_run(const struct testcase *tc, const struct observation *ob,
                              struct hypothesis *all, struct arena *a, struct judgement *out,
                              struct err *e);
