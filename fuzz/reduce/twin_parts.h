/* fuzz/reduce/twin_parts.h -- a twin in the making, and the changes that can be made. */
#pragma once

#include "fuzz/reduce/shrink_module.h"
#include "fuzz/reduce/twin.h"

struct twin_edit {
    const struct testcase *tc;
    const struct finding *f;
    struct arena *a;
    struct shrink_module *m;     /* to be edited; NULL: the module is not understood */
    struct shrink_inst *culprit; /* of m, in a block of a function; NULL: not known */
    struct testcase out;         /* the rest, to be edited: needs that are new are added here */
    uint32_t variant;            /* below the change's number of them */
    const char *text;            /* to be set */
};

/* A change: 1 made, 0 it does not apply. Those of the module are called with m only. What comes out is
 * compared and validated by the caller, who takes away capabilities, extensions and needs that the
 * change leaves idle. */
typedef int twin_change(struct twin_edit *e);
enum {
    TWIN_DECORATIONS = 12,
    TWIN_MODES = 10,
    TWIN_OPTIONS = 9, /* one that is added, then each of so many less one */
    TWIN_SCOPES = 4,
    TWIN_DISPATCHES = 5
};
/* twin_flags.c */
twin_change twin_drop_decoration, twin_drop_mode, twin_contraction_off, twin_option, twin_scope,
    twin_relax;
/* twin_operands.c */
twin_change twin_store_operands, twin_volatile_operands, twin_constant_operands, twin_scalar;
/* twin_memory.c */
twin_change twin_global_memory, twin_workgroup_memory;
/* twin_dispatch.c */
twin_change twin_dispatch, twin_optimise;

/* A new pointer type, and a vector constant of components; ids. */
uint32_t twin_put_pointer(struct twin_edit *e, uint32_t storage, uint32_t pointee);
uint32_t twin_put_composite(struct twin_edit *e, uint32_t type, const uint32_t *ids, uint32_t n);
/* Where variables of a function (index of its OpFunction) go, and what is done first in it: the words
 * before its first instruction, and before the first that is no variable. NULL: there is no such
 * place, or no memory. */
struct spv_words *twin_insert_variables(struct twin_edit *e, uint32_t function);
struct spv_words *twin_insert_start(struct twin_edit *e, uint32_t function);
/* Let `i`, which has a result, be another instruction with the same result. 0: no memory. */
int twin_become(struct twin_edit *e, struct shrink_inst *i, uint32_t op, const uint32_t *operands,
                uint32_t n);
