/* oracle/math/inherit.h -- computes results that are derived from a formula of the specification: evaluates the
 * formula's steps on sets, and adds what lies around the exact value as the text says. */
#pragma once

#include "oracle/math/inherit_program.h"

/*
 * Permitted results of an instruction of kind INHERITED, component `component` of them.
 * Vulkan: V env precision, "Inherited From": with F the results that the formula's steps may give,
 * each within its own bound, every value no farther from the exact one than the farthest of F; if
 * NaN is in F, anything. Steps are worked out on sets outward, a product and its sum in one rounding
 * or two, a sum of products in any order. OpenCL: F itself, and bound.ulp about the exact value.
 * permits: what a step of the formula may give. 0: not certain within the budget; *out is then anything.
 */
int inherit_permitted(const struct accuracy *a, const struct accuracy_operands *operands,
                      uint32_t component, const struct fp_rules *r, inherit_permits *permits,
                      struct set *out);
/* Results of an instruction that is no function of func.def within b of its exact value, or rounded
 * correctly. */
int inherit_about_exact(const struct accuracy *a, const struct accuracy_operands *operands,
                        uint32_t component, const struct func_bound *b, const struct fp_rules *r,
                        inherit_permits *permits, struct set *out);
/* Does the instruction have an exact value by inherit.def? */
int inherit_has_exact(int op);
