/* oracle/nir_text/nir_check.h -- refuses a program whose instructions do not fit their operands, so that it can be run without
 * looking again. */
#pragma once

#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_program.h"

/*
 * Is each operand defined, are there as many as the instruction takes, have they the width and the components that it
 * reads, do phis come first in their block?
 *   position  [NIR_MAX_BLOCKS] of blocks by number, NIR_END where there is none
 *   answer    where the result is false: NIR_BROKEN with the line of the instruction
 */
bool nir_check(const struct nir_program *p, const uint32_t *position, struct nir_answer *answer);
