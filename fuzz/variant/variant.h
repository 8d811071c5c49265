/* fuzz/variant/variant.h -- the same case with one thing changed: which change makes a bug go away? */
#pragma once

#include "oracle/judge/judge.h"

/* A change and what it is, as the end of "it passes ...": "without FPMaxErrorDecorationINTEL". */
struct variant {
    const char *text;
    struct testcase tc;
    bool
        is_loosening; /* it may permit more results, so that its own rules do not tell whether a result changed */
};

/* How many numbers variant_make knows. */
uint32_t variant_count(void);
/*
 * Variant `number` of a case, smallest changes first: without a decoration or a mode, contraction off,
 * build options (OpenCL), another scope or order, the operands of the instruction that goes wrong
 * stored as well, through volatile memory, or constants, one component at a time instead of a vector,
 * another storage class, no remainder, one work-group, one invocation, optimised by spirv-opt.
 * f: what goes wrong: the word offset of the instruction (0: none), its operands and its invocation,
 * which is the one that stays where invocations go. 1: *out is it, in `a`; 0: this one does not apply,
 * or would not be valid; -1: there are no more. Total on any module. A variant may need what the case
 * does not: its needs say so.
 */
int variant_make(const struct testcase *tc, const struct finding *f, uint32_t number,
                 struct arena *a, struct variant *out);
