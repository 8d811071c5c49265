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
/*
 * Does the instruction wrap on these operands of n_bits, taken as numbers with or without a sign: is its result, as a whole
 * number, none of that range? Of those that may be decorated so: IAdd, ISub, IMul, ShiftLeftLogical by less than n_bits,
 * SNegate and the absolute values; of others false.
 * Clause: SPV_KHR_no_integer_wrap_decoration, NoSignedWrap and NoUnsignedWrap.
 */
bool integer_wraps(uint32_t op, bool is_signed, unsigned n_bits,
                   const uint64_t arg[INTEGER_MAX_ARGS]);
/* A number, of n_bits and with or without a sign, as the nearest of a range: of out_bits, likewise.
 * Clause: SPIR-V specification, Decoration SaturatedConversion, OpSatConvertSToU, OpSatConvertUToS. */
uint64_t integer_saturate(uint64_t v, bool is_signed, unsigned n_bits, bool to_signed,
                          unsigned out_bits);
