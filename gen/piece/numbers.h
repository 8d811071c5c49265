/* gen/piece/numbers.h -- puts program fragments of integer instructions, by rows of number.def: operands are kept
 * where the instruction has a result that all documents agree on. */
#pragma once

#include "base/ops.h"
#include "gen/plan/build.h"

/* What comes out, and what goes in beside operands of the instruction's type. */
enum number_form {
    NUMBER_SAME,    /* a value of the type */
    NUMBER_TRUTH,   /* bools */
    NUMBER_LOGICAL, /* bools, of bools that comparisons gave */
    NUMBER_VOTE,    /* one bool, of a vector of them */
    NUMBER_WIDTH,   /* a value of another width */
    NUMBER_BITS, /* the same bits as another type, integer or float, of another length or of none */
    NUMBER_FIELD,    /* the type; offset and count follow, i32 */
    NUMBER_PAIR,     /* a struct of two */
    NUMBER_UPSAMPLE, /* of twice the width */
    NUMBER_SHUFFLE,  /* a vector of components of two */
    NUMBER_EXTRACT,  /* a component of a vector, by an index */
    NUMBER_INSERT,   /* a vector with a component replaced, by an index */
    NUMBER_PLACE     /* the same by a literal */
};
/* Operands that are kept away. */
enum number_keep {
    KEEP_NONE,
    KEEP_DIVISOR,        /* 0 */
    KEEP_SIGNED_DIVISOR, /* 0, and -1 below the least number */
    KEEP_REMAINDER, /* the same; in Vulkan also negative ones, but in a case that needs maintenance8 (V env) */
    KEEP_SHIFT,     /* all bits and more */
    KEEP_SIGNED_24, /* what has more than 24 bits, or a product of more than 31 */
    KEEP_UNSIGNED_24,
    KEEP_ORDER, /* limits in the wrong order */
    KEEP_SIGNED_ORDER,
    KEEP_HALF_ADDEND, /* an addend that may leave the range of the sum */
    KEEP_NOT_LEAST    /* the least number, which has no absolute value */
};
struct number_row {
    enum op_id op;
    uint8_t n_args;
    enum number_form form;
    uint8_t cl_types, vk_types; /* bit i: IR_I8 + i */
    enum number_keep keep;
};
enum {
    NUMBER_N = 0
#define NUMBER(...) +1
#include "gen/piece/number.def"
};
extern const struct number_row number_rows[NUMBER_N];

/* Another number for each use of a seed. */
uint64_t numbers_derive(uint64_t seed, uint64_t use);
/* A loaded integer, hard now and then; a constant likewise: a power of two, its negative or a neighbour, or the least
 * integer. */
struct ir_inst *numbers_put_loaded(struct build *b, enum ir_type type, uint64_t seed);
uint64_t numbers_get_hard(enum ir_type type, uint64_t seed);
/* That instruction, of a row of form NUMBER_SAME or NUMBER_TRUTH, on scalars, which are first kept where it has a result if
 * `keeps`. The result is not stored. */
struct ir_inst *numbers_put_op(struct build *b, enum op_id op, struct ir_inst *const *arg,
                               bool keeps, uint64_t seed);

/* A piece: a few of these instructions. */
void piece_integers_put(struct build *b, struct tape *t);
/* A straight line of instructions on types that are drawn evenly from all pairs that the case may have, of number.def
 * and of math.def. */
void piece_sweep_put(struct build *b, struct tape *t);
/* A piece: the same computation of the same numbers, loaded, as constants, as specialization constants, and in memory that
 * nobody writes. */
void piece_twins_put(struct build *b, struct tape *t);
