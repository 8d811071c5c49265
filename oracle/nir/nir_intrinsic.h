/* oracle/nir/nir_intrinsic.h -- the rows of nir_intrinsic.def. */
#pragma once

#include "oracle/nir/nir_program.h"

/* Which function runs an intrinsic: nir_run_NAME of the header that is named. */
enum nir_run {
    NIR_RUN_nothing,
    NIR_RUN_zero,    /* its value is 0 */
    NIR_RUN_barrier, /* nir_exec.c, as the next two: all sub-groups wait for each other */
    NIR_RUN_gather,  /* its value is the invocations that are active, a bit each */
    NIR_RUN_meet,    /* the invocations that its operand names wait for each other */
    NIR_RUN_id,      /* nir_abi.h */
    NIR_RUN_group,   /* nir_group.h */
    NIR_RUN_load,    /* nir_memory.h, as the next two */
    NIR_RUN_store,
    NIR_RUN_atomic,
    NIR_RUN_element, /* nir_exec.c: the address of an element of a variable */
    NIR_RUN_image,   /* nir_image.h */
    NIR_RUN_append /* the number of active invocations is added to a word of shared memory `form` times */
};
enum nir_id_form {
    NIR_ID_SCALAR_ARGUMENT,   /* RADV: argument number `base` of the shader */
    NIR_ID_SUBGROUP_ARGUMENT, /* RADV: bits 24:20 are the number of the sub-group */
    NIR_ID_VECTOR_ARGUMENT,   /* RADV: the local id, 10 bits a component */
    NIR_ID_TRAP_REGISTER,     /* RADV of gfx12: ids in register number `base` */
    NIR_ID_SYSTEM_VALUE,      /* NVK: special register number `base` */
    NIR_ID_GROUP,
    NIR_ID_GROUP_BASE,
    NIR_ID_N_GROUPS,
    NIR_ID_LOCAL,
    NIR_ID_LOCAL_INDEX,
    NIR_ID_GLOBAL,
    NIR_ID_ZERO,
    NIR_ID_LANE,
    NIR_ID_SUBGROUP_SIZE,
    NIR_ID_SUBGROUP,
    NIR_ID_N_SUBGROUPS,
    NIR_ID_SUBGROUP_SHIFT, /* log2 of the size */
    NIR_ID_RESOURCE,       /* Turnip: descriptor number of set `desc_set` */
    NIR_ID_SET,            /* lavapipe: the address of the descriptors of set `operand` - 1 */
    NIR_ID_PUSH_CONSTANT   /* Turnip: word number operand + `base` of the push constants */
};
enum nir_group_form {
    NIR_GROUP_BALLOT,
    NIR_GROUP_INVERSE_BALLOT,
    NIR_GROUP_ELECT,
    NIR_GROUP_LAST,
    NIR_GROUP_COUNT_BELOW, /* bits of a mask below the own lane, and a number more */
    NIR_GROUP_FIRST,       /* the value of the lowest active lane */
    NIR_GROUP_FIRST_WHERE, /* of the lowest active one whose second operand is true */
    NIR_GROUP_SHUFFLE,     /* the value of lane number s1; the next ones of another lane */
    NIR_GROUP_SHUFFLE_XOR,
    NIR_GROUP_SHUFFLE_UP,
    NIR_GROUP_SHUFFLE_DOWN,
    NIR_GROUP_ROTATE,
    NIR_GROUP_QUAD_BROADCAST,
    NIR_GROUP_QUAD_HORIZONTAL,
    NIR_GROUP_QUAD_VERTICAL,
    NIR_GROUP_QUAD_DIAGONAL,
    NIR_GROUP_MASKED_SWIZZLE,
    NIR_GROUP_QUAD_SWIZZLE,
    NIR_GROUP_WRITE, /* s1 in lane number s2, s0 in all others */
    NIR_GROUP_VOTE_ANY,
    NIR_GROUP_VOTE_ALL,
    NIR_GROUP_VOTE_EQUAL,
    NIR_GROUP_VOTE_FLOAT_EQUAL,
    NIR_GROUP_QUAD_ANY,
    NIR_GROUP_QUAD_ALL,
    NIR_GROUP_REDUCE,
    NIR_GROUP_INCLUSIVE,
    NIR_GROUP_EXCLUSIVE,
    NIR_GROUP_BALLOT_COUNT, /* the next ones are of a mask that is an operand */
    NIR_GROUP_BALLOT_COUNT_INCLUSIVE,
    NIR_GROUP_BALLOT_COUNT_EXCLUSIVE,
    NIR_GROUP_BALLOT_LOWEST,
    NIR_GROUP_BALLOT_HIGHEST,
    NIR_GROUP_BALLOT_BIT
};
/* What the address operands of an access mean. Of a store the value comes before them, of an atomic the operands after. */
enum nir_space {
    NIR_SPACE_STORAGE, /* descriptor, offset << offset_shift */
    NIR_SPACE_GLOBAL, /* two numbers whose sum is an address; of a load a third operand may be its predicate */
    NIR_SPACE_ADDRESS,     /* an address */
    NIR_SPACE_CONSTANT_NV, /* number of a constant buffer, offset */
    NIR_SPACE_HANDLE_NV,   /* handle of a constant buffer, offset */
    NIR_SPACE_SHARED,      /* offset << offset_shift_nv */
    NIR_SPACE_SHARED_NV,   /* that, and a second offset */
    NIR_SPACE_SHARED_PAIR, /* offset; two elements at offset0 and offset1 */
    NIR_SPACE_SCRATCH,     /* offset in the invocation's own memory */
    NIR_SPACE_SCRATCH_NV,  /* two offsets */
    NIR_SPACE_PUSH,        /* lavapipe: offset in the push constants */
    NIR_SPACE_VARIABLE     /* address of an element; each component takes NIR_SLOT_BYTES */
};
/* What is done with a texel. */
enum nir_image_form {
    NIR_IMAGE_LOAD,
    NIR_IMAGE_STORE,
    NIR_IMAGE_ATOMIC,
    NIR_IMAGE_SIZE
};
struct nir_intrinsic_row {
    const char *name;
    unsigned n_sources;
    bool has_value;
    enum nir_run run;
    int form; /* of the enum that belongs to `run` */
};
extern const struct nir_intrinsic_row nir_intrinsic_rows[NIR_INTRINSIC_N];
/* The row of that name, n characters; -1: none. */
int nir_intrinsic_find(const char *name, size_t n);

/* How the value of a constant argument is written: see nir_index.def. */
enum nir_index_form {
    NIR_NUMBER,
    NIR_WORD,
    NIR_MASK,
    NIR_SWIZZLE,
    NIR_IGNORED
};
struct nir_index_row {
    const char *name;
    enum nir_index_form form;
};
extern const struct nir_index_row nir_index_rows[NIR_INDEX_N];
int nir_index_find(const char *name, size_t n);
