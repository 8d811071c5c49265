/* oracle/nir_text/nir_parse.h -- reads a program from the text that Mesa prints of NIR. */
#pragma once

#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_program.h"

/*
 * Reads a text of n bytes. Any bytes are safe. What is accepted is complete: each operand is a value that is defined
 * somewhere, of a width that its operation takes (nir_check.h), and each target is a block.
 *   out     tables in `a`
 *   answer  where the result is false: NIR_BROKEN, NIR_UNKNOWN or NIR_BUDGET with the line and a sentence
 */
bool nir_parse(const char *text, size_t n, struct arena *a, struct nir_program *out,
               struct nir_answer *answer);
