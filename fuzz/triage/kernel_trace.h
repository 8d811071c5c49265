/* fuzz/triage/kernel_trace.h -- a case whose module also stores what its instructions compute, so that the first one that goes
 * wrong is seen. */
#pragma once

#include "base/testcase.h"
#include "oracle/judgement/judgement.h"

/* Each invocation has n_slots numbers in each buffer from first_buf on, a buffer for each kind of number. The slots are used
 * in the order in which the invocation computes; what no slot is left for goes to the last one. */
struct kernel_trace {
    struct testcase tc;
    uint32_t first_buf, n_slots;
    uint32_t n_ids; /* of the module without its stores */
};
/*
 * The case with stores behind the instructions of all functions that compute numbers. Ids keep their numbers. In `a`.
 *   RES_LIMIT: it cannot be made, and why
 */
MUST_USE enum res kernel_trace_make(const struct testcase *tc, struct arena *a,
                                    struct kernel_trace *out, struct err *e);

/*
 * Judges the slots alone, as a judgement keeps few findings: those of an invocation, or of all (UINT32_MAX). What stands elsewhere
 * is permitted. Errors as of judge_run.
 */
MUST_USE enum res kernel_trace_judge(const struct kernel_trace *t, const struct observation *ob,
                                     uint32_t invocation, struct arena *a, struct judgement *out,
                                     struct err *e);
/* The violation in the earliest slot, of that invocation if it has one; NULL: no slot holds a wrong number. */
const struct finding *kernel_trace_find_first(const struct kernel_trace *t,
                                              const struct judgement *g, uint32_t invocation);

/* Where the result of the instruction at `offset` of the traced module is defined in another module with the same ids; 0: nowhere.
 * *line: what the last OpLine before it there says; 0: nothing. */
uint32_t kernel_trace_locate(const struct kernel_trace *t, uint32_t offset, const uint32_t *words,
                             uint32_t n_words, uint32_t *line);
