/* oracle/nir/nir_sets.h -- which descriptor set a shader means: neither RADV's arguments nor NVK's constant buffers say so. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_program.h"

/* In both: buffer i of the case has binding i, and a set without a buffer that the text declares is not used, if the text
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

/*
 * NVK: the sets of constant buffers 1, 2 ... Only sets with a storage buffer that is used have one. Those whose storage
 * buffers are named most often come first, of equally many the lower number (nvk_nir_lower_descriptors.c).
 *   out     [CASE_MAX_SETS] the set of constant buffer k + 1; CASE_MAX_SETS: the program has no such buffer
 *   answer  as above
 */
bool nir_sets_of_constants(const struct testcase *tc, const struct nir_program *p, uint32_t *out,
                           struct nir_answer *answer);
