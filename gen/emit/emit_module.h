/* gen/emit/emit_module.h -- computes the SPIR-V words of a typed program: sections are written into lists of their
 * own, by one walk over the program, and joined. Time and memory are linear in the program. */
#pragma once

#include "gen/ir/ir.h"

#define EMIT_ENTRY_NAME "main_kernel"

/* The module of p in its arena; sets *n_words, and *n_instructions (may be NULL) to the number of
 * instructions within functions. NULL when the arena is full. */
const uint32_t *emit_module(struct ir_program *p, uint32_t *n_words, uint32_t *n_instructions);
