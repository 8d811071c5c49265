/* oracle/judge/judge.h -- the only door of the oracle: a verdict from a case and an observation.
 *
 * Computes the verdict, the findings with their clause, and the coverage of a run. Method: interprets the SPIR-V module for
 * every invocation, with sets of permitted values in the registers, and compares each value that the run has stored with its
 * set. Bounds: EXEC_MAX_STEPS interpreted instructions for all attempts together, at most 64 attempts, and the budgets of the
 * searches (sums of groups, orders of atomics); what exceeds them is inconclusive or bounded, never a violation. */
#pragma once

#include "oracle/judgement/judgement.h"

/*
 * Judge. Pure: depends on nothing but its arguments. `a` holds the answer's strings and scratch.
 * A module that the interpreter cannot follow is INCONCLUSIVE with a note, never an error.
 * RES_FORMAT: the module is not SPIR-V; RES_NOMEM: the arena is full.
 */
MUST_USE enum res judge_run(const struct testcase *tc, const struct observation *ob,
                            struct arena *a, struct judgement *out, struct err *e);
/* judge_run that also sets the cells of the run (oracle/feature/feature.h): map is NULL or the caller's FEATURE_CELLS
 * bytes; pairs is NULL or the caller's FEATURE_PAIR_BYTES (then map is not NULL). Both are cleared first. The
 * judgement is the same with and without a map. */
MUST_USE enum res judge_run_mapped(const struct testcase *tc, const struct observation *ob,
                                   unsigned char *map, unsigned char *pairs, struct arena *a,
                                   struct judgement *out, struct err *e);
struct judge_policy; /* oracle/judge_state/policy.h */
/* judge_run in which the policy may permit more than the specifications. Findings that remain have another cause. */
MUST_USE enum res judge_run_under(const struct testcase *tc, const struct observation *ob,
                                  const struct judge_policy *policy, struct arena *a,
                                  struct judgement *out, struct err *e);
