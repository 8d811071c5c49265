/* base/integer.h -- what integer instructions give, exactly: one scalar at a time. */
#pragma once

#include "base/base.h"

enum {
    INTEGER_MAX_ARGS = 4
};
enum integer_answer {
    INTEGER_GIVES,     /* out has the result */
    INTEGER_UNDEFINED, /* on these operands the instruction has none */
    INTEGER_UNKNOWN    /* no row of integer.def */
};

/* Is it the number (OP_NUMBER) of an instruction of integer.def? */
bool integer_has(uint32_t op);
/* Does it give a struct of two? */
bool integer_gives_pair(uint32_t op);
/*
 * Applies instruction `op` to one component: arg[0 .. INTEGER_MAX_ARGS-1], of those that there are none 0.
 *   n_bits    1 (a bool) to 64: of arg[0], which is also that of the others where they are numbers like it
 *   out_bits  of the result; above them out is zero
 *   out[1]    the second member of a struct, of n_bits, else 0
 * Clauses: INT_EXACT, INT_FUNC.
 */
enum integer_answer integer_apply(uint32_t op, unsigned n_bits, unsigned out_bits,
                                  const uint64_t arg[INTEGER_MAX_ARGS], uint64_t out[2]);
