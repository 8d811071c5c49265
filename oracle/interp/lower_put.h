/* oracle/interp/lower_put.h -- the types and instructions that one instruction of a module becomes. */
#pragma once

#include "oracle/interp/module.h"

struct lower_to {
    struct module *m;
    const struct spv_inst *in; /* what is lowered: a finding names its word */
    uint32_t *next_id;         /* the next id that no word of the module has */
    uint32_t flags;            /* ID_ of each result */
    struct arena *a;
    bool is_full; /* the arena was: nothing was appended */
};

/* A new type; returns its id. */
uint32_t lower_add_type(struct lower_to *to, struct mod_type t);
/*
 * Appends to m->code an instruction of n operands with that type and result; type 0: it has neither. The result gets
 * registers. Returns the result.
 */
uint32_t lower_put(struct lower_to *to, uint32_t op, uint32_t type, uint32_t result,
                   const uint32_t *operands, uint32_t n);
/* The same with a new id as its result. */
uint32_t lower_put_new(struct lower_to *to, uint32_t op, uint32_t type, const uint32_t *operands,
                       uint32_t n);
/* RES_NOMEM where the arena was full, else RES_OK. */
MUST_USE enum res lower_end(const struct lower_to *to, struct err *e);
