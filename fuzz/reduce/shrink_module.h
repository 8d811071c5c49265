/* fuzz/reduce/shrink_module.h -- a module as a list of instructions that can be edited, for the passes. */
#pragma once

#include "base/spv.h"
#include "base/testcase.h"

#define SHRINK_NONE UINT32_MAX /* no instruction, no block */
enum {
    SHRINK_MAX_IDS = 1 << 18, /* as many as the interpreter takes */
    SHRINK_OPERANDS = 3,      /* word of the first operand behind a type and a result */
    SHRINK_EXT_INST = 4       /* word of OpExtInst that has the instruction's number */
};

struct shrink_inst {
    uint32_t *w;         /* n words, may be written */
    const uint8_t *role; /* n of enum shrink_role; [0] is none */
    uint32_t op, n;
    uint32_t type, result; /* ids, 0 if none */
    uint32_t function;     /* index of its OpFunction, SHRINK_NONE outside of functions */
    int is_dead;
    struct spv_words *before; /* instructions to go before it; NULL: none */
};

struct shrink_module {
    struct arena *a;
    uint32_t header[SPV_HEADER_WORDS];
    uint32_t bound; /* of ids, those made by passes included */
    uint32_t n;
    struct shrink_inst *inst;
    uint32_t n_defs; /* ids that the module came with */
    uint32_t *def;   /* [n_defs] index of the instruction that defines it, or SHRINK_NONE */
    uint32_t *alias; /* [n_defs] the id to use in its place, or itself */
    struct spv_words annotations, globals; /* to go behind those of the module */
};

/* NULL: not understood, or the arena is full. Names and lines are left out. */
struct shrink_module *shrink_module_parse(const uint32_t *words, uint32_t n_words, struct arena *a);
/* The words as edited. NULL: the arena is full, or aliases go in a circle. */
const uint32_t *shrink_module_write(struct shrink_module *m, uint32_t *n_words);
/* Put what aliases stand for in their place, and forget them. 0: they go in a circle. */
int shrink_module_settle(struct shrink_module *m);

/* The instruction that defines an id of the module; NULL: none, or it is dead. */
struct shrink_inst *shrink_module_find(const struct shrink_module *m, uint32_t id);
uint32_t shrink_module_get_type(const struct shrink_module *m, uint32_t id); /* id, or 0 */
/* Number of live uses of each id (roles VALUE, FIXED, SCOPE, SEMANTICS); [n_defs], NULL: no memory. */
uint32_t *shrink_module_count_uses(const struct shrink_module *m);
/* Has it an effect beyond its result? Terminators, merges and what frames a function have none. */
int shrink_module_has_effect(const struct shrink_module *m, const struct shrink_inst *i);
/* Does it stand in a block, and compute something that may be replaced? */
int shrink_module_is_value(const struct shrink_inst *i);
/* The uses of `i`'s result become those of `id`, and it goes. */
void shrink_module_replace(struct shrink_module *m, struct shrink_inst *i, uint32_t id);
uint32_t shrink_module_resolve(const struct shrink_module *m, uint32_t id); /* 0: a circle */
/* Instructions before `i`; NULL: no memory. */
struct spv_words *shrink_module_insert(struct shrink_module *m, struct shrink_inst *i);
uint32_t shrink_module_new_id(struct shrink_module *m);
/* Let `i` be another instruction with the same result, if it has one. 0: no memory. */
int shrink_module_become(struct shrink_module *m, struct shrink_inst *i, uint32_t op,
                         const uint32_t *operands, uint32_t n);

/* Numbers that a constant is made of. */
enum shrink_number {
    NUMBER_ZERO,
    NUMBER_ONE,
    NUMBER_TWO,
    NUMBER_MINUS_ZERO /* of a float alone */
};
/* Id of a constant of that type (a scalar, or a vector of it), found or made. 0: there is none. */
uint32_t shrink_module_constant(struct shrink_module *m, uint32_t type, enum shrink_number number);
/* Its bits, of an integer or float; 0: the type is neither. */
int shrink_module_number_bits(const struct shrink_module *m, uint32_t type,
                              enum shrink_number number, uint64_t *bits);
/* A constant with given bits, of an integer or float. */
uint32_t shrink_module_constant_bits(struct shrink_module *m, uint32_t type, uint64_t bits);
/* Bits of an OpConstant that is an integer or float; 0: it is none. */
int shrink_module_get_bits(const struct shrink_module *m, uint32_t id, uint64_t *bits);
unsigned shrink_module_get_width(const struct shrink_module *m, uint32_t type); /* of a number */

/* Step -> part [*lo, *hi) of a list of n: all of it, then halves, quarters, ..., single ones; from the
 * end, as what comes late uses what comes early. When a part goes, the same step of what is left is a
 * part that was not tried. 1; -1: none any more. */
int shrink_chunk(uint32_t n, uint32_t step, uint32_t *lo, uint32_t *hi);
