/* gen/print/text_atomic.h -- atomic instructions: what their functions are called in each language, and their operands. */
#pragma once

#include "gen/print/text.h"

/* How the operands of an instruction are those of the function, in the words of OpenCL C. */
enum atomic_form {
    ATOMIC_LOAD,   /* x = atomic_load(p) */
    ATOMIC_STORE,  /* atomic_store(p, v) */
    ATOMIC_VALUE,  /* x = atomic_fetch_add(p, v) */
    ATOMIC_ONE,    /* x = atomic_fetch_add(p, 1) */
    ATOMIC_COMPARE /* x = c; atomic_compare_exchange_strong(p, &x, v) */
};
struct atomic_row {
    uint32_t op;
    enum atomic_form form;
    const char *clc, *glsl; /* names */
    enum text_sign sign;
};
/* Ids of an atomic's operands, 0 where it has none. */
struct atomic_operands {
    uint32_t pointer, scope, semantics, unequal, value, comparator;
};

/* The row of the instruction; NULL: it is no atomic. */
const struct atomic_row *text_find_atomic(uint32_t op);
struct atomic_operands text_get_operands(const struct spv_inst *in, enum atomic_form form);
/* The call of the function: a statement where nobody reads the result, which is else `value`, the call of the module's
 * type. */
void text_put_atomic(struct printer *p, const struct spv_inst *in, const char *call,
                     const char *value);
