/* fuzz/variant/variant_edit.h -- a variant in the making, and what several changes need. */
#pragma once

#include "fuzz/reduce/shrink_module.h"
#include "oracle/judge/judge.h"

enum {
    VARIANT_MAX_COMPONENTS = 16 /* of a vector */
};
struct variant_edit {
    const struct testcase *tc;
    const struct finding *f;
    struct arena *a;
    struct shrink_module *m;     /* to be edited; NULL: the module is not understood */
    struct shrink_inst *culprit; /* of m, in a block of a function; NULL: not known */
    struct testcase out;         /* the rest, to be edited: needs that are new are added here */
    uint32_t variant;            /* below the change's number of them */
    const char *text;            /* to be set */
};

/* A change: true: made; false: it does not apply. Those of the module are called with m only. What comes out is
 * compared and validated by the caller, who takes away capabilities, extensions and needs that the
 * change leaves idle. */
typedef bool variant_change(struct variant_edit *e);

/* A new pointer type, and a vector constant of components; ids. */
uint32_t variant_put_pointer(struct variant_edit *e, uint32_t storage, uint32_t pointee);
uint32_t variant_put_composite(struct variant_edit *e, uint32_t type, const uint32_t *ids,
                               uint32_t n);
/* Where variables of a function (index of its OpFunction) go, and what is done first in it: the words
 * before its first instruction, and before the first that is no variable. NULL: there is no such
 * place, or no memory. */
struct spv_words *variant_insert_variables(struct variant_edit *e, uint32_t function);
struct spv_words *variant_insert_start(struct variant_edit *e, uint32_t function);

/* The changes, and how many variants each has where it is not one. */
enum {
    VARIANT_NAMES = 22,  /* decorations, then modes */
    VARIANT_OPTIONS = 9, /* one that is added, then each of so many less one */
    VARIANT_SCOPES = 4,
    VARIANT_DISPATCHES = 7
};
variant_change variant_drop_name, variant_contraction_off, variant_option, variant_scope,
    variant_relax, variant_store_operands, variant_volatile_operands, variant_constant_operands,
    variant_scalar, variant_global_memory, variant_workgroup_memory, variant_dispatch,
    variant_optimise;
