/* oracle/nir_driver/nir_constants.h -- which descriptor set each constant buffer of a program of NVK is: the text does not say so. */
#pragma once

#include "oracle/nir_driver/nir_abi.h"

/*
 * Sets abi->constants: the set of constant buffer k + 1, or CASE_MAX_SETS where the program has no such buffer.
 *   p      buffer i of the case has binding i; it names those that it may use, if it names any (nir_program.h)
 *   false  several choices of sets, or none, have the descriptors that the program loads: answer is NIR_UNKNOWN
 * Of several choices that one is right whose sets are in the driver's order: those whose descriptors are used most often
 * come first, of equally many the lower number; uniform buffers do not count (nvk_nir_lower_descriptors.c).
 */
bool nir_constants_choose(struct nir_abi *abi, const struct nir_program *p, struct arena *a,
                          struct nir_answer *answer);
