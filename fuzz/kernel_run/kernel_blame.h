/* fuzz/kernel_run/kernel_blame.h -- what a wrong result of a kernel comes of. */
#pragma once

#include "fuzz/kernel/kernel_case.h"
#include "fuzz/kernel_run/kernel_try.h"

struct kernel_blame {
    const char *
        cause; /* which single fault would explain what was seen (fuzz/triage/cause_text.h); "": none */
    const char *
        first; /* what was wrong first where each number is stored, in one sentence; "": not known */
    uint32_t offset;      /* of its instruction in the kernel's module; 0: not known */
    uint32_t line;        /* of the source, if the module says it; else 0 */
    const char *why_none; /* why `first` is not known; "" */
};
/*
 * Judges what was observed under each fault of the table, then runs the kernel once more on the target with each number that it
 * computes stored (kernel_trace.h). x: a result with a violation of values. RES_NOMEM.
 */
MUST_USE enum res kernel_blame(const struct kernel *k, const struct try_result *x, struct arena *a,
                               struct kernel_blame *out, struct err *e);
