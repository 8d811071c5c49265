/* oracle/nir/nir_sets.h -- which descriptor set a shader of NVK means: its constant buffers do not say so. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_program.h"

/* Buffer i of the case has binding i, and a set without a buffer that the text declares is not used, if the text
 * declares any (nir_program.h). */

/*
 * NVK: the sets of constant buffers 1, 2 ... Only sets with a storage buffer that is used have one. Those whose storage
 * buffers are named most often come first, of equally many the lower number (nvk_nir_lower_descriptors.c).
 *   out     [CASE_MAX_SETS] the set of constant buffer k + 1; CASE_MAX_SETS: the program has no such buffer
 *   false   several choices of sets fit, or none: answer is NIR_UNKNOWN
 */
bool nir_sets_of_constants(const struct testcase *tc, const struct nir_program *p, uint32_t *out,
                           struct nir_answer *answer);
