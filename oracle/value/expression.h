/* oracle/value/expression.h -- instructions that may be evaluated together, and what they may then give.
 *
 * Where the environment lets a compiler contract or rearrange arithmetic, a result outside of its
 * instruction's permitted set is not yet a violation: it may be a value of the whole expression. Each
 * instruction with such a freedom leaves a record of its operands, and a value that was observed
 * outside of its set is looked up in an enclosure of all that the expression can give. What no
 * contraction and no rearrangement gives, such as a lost or doubled term, is a violation all the same.
 */
#pragma once

#include "oracle/interp/exec.h"

/* One component of one float instruction as it was executed. */
struct expression {
    uint32_t code;      /* index of the instruction */
    uint32_t component; /* of its result */
    uint8_t fmt;        /* enum fmt_id of its result */
    uint8_t freedom;    /* enum expression_freedom: what it may take part in */
    uint32_t n_args;
    const struct val
        *arg; /* [n_args] scalars of its operands in the order of their words: one each,
                            * or all components where it works on whole vectors */
};

/* v, with a record of how it was made; the operands are copied. v itself when the arena is full: x->stop. */
struct val expression_record(struct exec *x, struct val v, const struct expression *made);
/*
 * What may explain a value outside of the permitted set of an instruction of freedom `own` on these
 * operands: it can be taken together with what made one of them, or one of them is itself not certain.
 * EXPRESSION_LOOSE needs no operand.
 */
unsigned expression_find_freedom(const struct exec *x, unsigned own, const struct val *arg,
                                 uint32_t n_args);
