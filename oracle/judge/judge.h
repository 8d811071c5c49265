/* oracle/judge/judge.h -- the only door of the oracle: a verdict from a case and an observation. */
#pragma once

#include "oracle/judgement/judgement.h"

/*
 * Judge. Pure: depends on nothing but its arguments. `a` holds the answer's strings and scratch.
 * A module that the interpreter cannot follow is INCONCLUSIVE with a note, never an error.
 * RES_FORMAT: the module is not SPIR-V; RES_NOMEM: the arena is full.
 */
MUST_USE enum res judge_run(const struct testcase *tc, const struct observation *ob,
                            struct arena *a, struct judgement *out, struct err *e);
/* judge_run, and the cells of the run (oracle/feature/feature.h): map, NULL or the caller's
 * FEATURE_CELLS bytes, and pairs, NULL or the caller's FEATURE_PAIR_BYTES (then map is not NULL); they are
 * cleared first. A function of (tc, ob) like the judgement, which is the same with a map and without. */
MUST_USE enum res judge_run_mapped(const struct testcase *tc, const struct observation *ob,
                                   unsigned char *map, unsigned char *pairs, struct arena *a,
                                   struct judgement *out, struct err *e);
struct judge_policy; /* oracle/judge_state/policy.h */
/* judge_run, where what the policy permits is permitted as well: the findings that are left have another cause. */
MUST_USE enum res judge_run_under(const struct testcase *tc, const struct observation *ob,
                                  const struct judge_policy *policy, struct arena *a,
                                  struct judgement *out, struct err *e);
