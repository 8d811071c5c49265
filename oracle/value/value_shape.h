/* oracle/value/value_shape.h -- finds the operands of a mathematical instruction (floats, integer, pointer), and
 * its accuracy and rules. */
#pragma once

#include "oracle/math/accuracy.h"
#include "oracle/value/value_set.h"

enum {
    VALUE_MAX_OPERANDS = 3 /* floats, of a mathematical instruction */
};

/* Operands of one instruction, found by their types. */
struct value_shape {
    uint32_t n_float, float_id[VALUE_MAX_OPERANDS];
    uint32_t int_id, pointer_id; /* 0: none */
    enum fmt_id fmt;
    uint32_t n_components; /* of the operands */
    int is_whole;          /* on whole vectors */
};

/* 0: the operands are not those of an instruction with a row in ops.def. */
int value_find_shape(const struct exec *x, const struct mod_inst *in, struct value_shape *shape);
struct accuracy value_find_accuracy(const struct ruleset *rs, const struct exec *x,
                                    const struct mod_inst *in, const struct value_shape *shape);
/* The rules of the instruction, what lies outside of its set graded. */
struct rules value_find_rules(const struct value_site *site, const struct value_shape *shape,
                              const struct accuracy *a);
/* Does the bound leave sets of more than a few encodings? */
bool value_is_loose(const struct accuracy *a);
/* Is it an OpExtInst? Does it work on whole vectors? Is its result a struct? Is its first result an
 * integer? Is it nan? */
bool value_is_extended(uint32_t op);
bool value_is_whole(uint32_t op);
bool value_has_struct(uint32_t op);
bool value_gives_integer(uint32_t op);
bool value_is_nan(uint32_t op);
/* Is the instruction value_math's? */
bool value_is_math(const struct exec *x, const struct mod_inst *in);
/* Word of the first operand after the result. */
uint32_t value_first_operand(uint32_t op);
/* The pointer operand that the instruction writes through; 0: none. */
uint32_t value_find_pointer(const struct exec *x, const struct mod_inst *in);
