/* oracle/math/accuracy_permitted.h -- computes the permitted results of an instruction, by the kind of its bound:
 * an exact text, a bound in ulps, or a formula that the result inherits from. */
#pragma once

#include "oracle/math/accuracy.h"
#include "oracle/num/set.h"

/* Permitted results of the instruction on these arguments, all kinds; 0 when it could not be certain
 * within its budget (*out is then anything). Of an instruction with two results the first. */
int accuracy_permitted(const struct accuracy *a, enum env env, const struct func_args *args,
                       const struct fp_rules *r, struct set *out);
/* The second result of sincos (the cosine) and modf (the whole part), with the same answers. */
int accuracy_permitted_second(const struct accuracy *a, enum env env, const struct func_args *args,
                              const struct fp_rules *r, struct set *out);
/* One component of the result; 0 of those that are scalar. */
int accuracy_permitted_vector(const struct accuracy *a, enum env env,
                              const struct accuracy_operands *operands, uint32_t component,
                              const struct fp_rules *r, struct set *out);
