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
struct suspicion; /* oracle/suspect/suspect.h */
/* judge_run of a device that is taken to have a fault, or all those of a chain: what they give is permitted as well.
 * The findings that are left do not come of them. The counts of each are set. */
MUST_USE enum res judge_run_suspecting(const struct testcase *tc, const struct observation *ob,
                                       struct suspicion *s, struct arena *a, struct judgement *out,
                                       struct err *e);
