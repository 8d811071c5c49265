/* oracle/nir/nir_sets.h -- which descriptor set a shader means: RADV's arguments do not say so. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_program.h"

/* Buffer i of the case has binding i, and a set without a buffer that the text declares is not used, if the text
 * declares any (nir_program.h). */

/*
 * RADV: the sets of pointer arguments, which ascend as the arguments do. A set that the shader does not use has none.
 *   n_bytes  of each of the n pointers: how far behind it descriptors are used
 *   out      [n] the sets
 *   false    several choices of sets, or none, have descriptors that far: answer is NIR_UNKNOWN
 */
bool nir_sets_of_pointers(const struct testcase *tc, const struct nir_program *p,
                          const uint32_t *n_bytes, uint32_t n, uint32_t *out,
                          struct nir_answer *answer);
