/* fuzz/twin.h -- the same case with one thing changed: which change makes a bug go away? */
#ifndef HALFULP_FUZZ_TWIN_H
#define HALFULP_FUZZ_TWIN_H

#include "base/testcase.h"

/* A change and what it is, as the end of "it passes ...": "without FPMaxErrorDecorationINTEL". */
struct twin {
    const char *text;
    struct testcase tc;
};

/*
 * Twin `number` of a case, smallest changes first: without the decoration, with the optimiser off
 * (OpenCL), with each value of the instruction's operands stored as well (probes), optimised by
 * spirv-opt, one component instead of a vector, another storage class, one invocation, one work-group.
 * offset: word of the instruction that goes wrong, 0 for none. 1: *out is it, in `a`; 0: this one does
 * not apply; -1: there are no more. Total on any module.
 */
int twin_make(const struct testcase *tc, uint32_t offset, uint32_t number, struct arena *a,
              struct twin *out);

#endif
