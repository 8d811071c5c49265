/* oracle/nir_text/nir_intrinsic.h -- the rows of nir_intrinsic.def. */
#pragma once

#include "oracle/nir_text/nir_program.h"

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
    NIR_RUN_image,   /* nir_image.h */
    NIR_RUN_kepler,  /* nir_kepler.h */
    NIR_RUN_address, /* nir_memory.h: of a variable */
    NIR_RUN_lock,    /* likewise, as the next one */
    NIR_RUN_append /* the number of active invocations is added to a word of shared memory `form` times */
};
enum nir_id_form {
    NIR_ID_ARGUMENT, /* RADV: argument number `base` of the shader */
    NIR_ID_SUBGROUP_ARGUMENT, /* RADV: the number of the sub-group, in bits 24:20 of gfx10.3 and newer, 11:6 of older
                               * chips; how many there are in bits 5:0 */
    NIR_ID_TRAP_REGISTER, /* RADV of gfx12: ids in register number `base` */
    NIR_ID_SYSTEM_VALUE,  /* NVK: special register number `base` */
    NIR_ID_GROUP,         /* of RADV with the dispatch's base, of others without it */
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
    NIR_ID_RESOURCE, /* Turnip: descriptor number of set `desc_set`; Honeykrisp: offset behind uniform `desc_set` */
    NIR_ID_SET,          /* lavapipe: the address of the descriptors of set `operand` - 1 */
    NIR_ID_PUSH_CONSTANT /* Turnip: word number operand + `base` of the push constants */
};
enum nir_group_form {
    NIR_GROUP_BALLOT,
    NIR_GROUP_QUAD_BALLOT,  /* of the own quad, in bits 3:0 */
    NIR_GROUP_ACTIVE_BELOW, /* how many lanes below the own one are active */
    NIR_GROUP_ACTIVE_COUNT,
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
    NIR_SPACE_GLOBAL_LAST, /* likewise, but the second number is the last operand of all */
    NIR_SPACE_ADDRESS,     /* an address */
    NIR_SPACE_CONSTANT_NV, /* number of a constant buffer, offset */
    NIR_SPACE_HANDLE_NV,   /* handle of a constant buffer, offset */
    NIR_SPACE_SHARED,      /* offset << offset_shift_nv */
    NIR_SPACE_SHARED_NV,   /* that, and a second offset */
    NIR_SPACE_SHARED_PAIR, /* offset; two elements at offset0 and offset1 */
    NIR_SPACE_SCRATCH,     /* offset in the invocation's own memory */
    NIR_SPACE_SCRATCH_NV,  /* two offsets */
    NIR_SPACE_PUSH,        /* lavapipe: offset in the push constants */
    NIR_SPACE_VARIABLE, /* number of a component in the invocation's variables, of 8 bytes each; of a store
                         * the value comes behind it */
    NIR_SPACE_UNIFORM, /* Honeykrisp: `base` is a number of 16-bit units; a truth value has one of these */
    NIR_SPACE_AGX /* Honeykrisp: an address, an index in elements of `format`, shifted by `base`;
                         * sign_extend tells how it widens */
};
/* Accesses of images. Operands: descriptor, coordinates, sample, then the texel of a store or the data of an atomic. */
enum nir_image_form {
    NIR_IMAGE_LOAD,
    NIR_IMAGE_INDEX_LOAD, /* RADV: behind the descriptor are two offsets in bytes, both 0, and the index of the texel */
    NIR_IMAGE_STORE,
    NIR_IMAGE_SIZE,       /* how far each coordinate goes */
    NIR_IMAGE_STATE_LOAD, /* Honeykrisp: the descriptor is the number of a register that holds it */
    NIR_IMAGE_STATE_STORE,
    NIR_IMAGE_ATOMIC /* of one operand, or of two of a comparison with exchange */
};
/* Kepler's instructions for texels: what the fields of their results mean is told in nir_kepler.c. */
enum nir_kepler_form {
    NIR_KEPLER_CLAMP, /* of a coordinate: its block, its place in the block, and whether it is outside */
    NIR_KEPLER_MERGE, /* of the three coordinates' results: the place in the block, and whether one is outside */
    NIR_KEPLER_ADDRESS, /* of the block's number, that, and the image: the address in units of 256 bytes */
    NIR_KEPLER_MULTIPLY_ADD,
    NIR_KEPLER_LOAD, /* address, format, is it outside? */
    NIR_KEPLER_STORE /* those, and the texel */
};
struct nir_intrinsic_row {
    const char *name;
    unsigned n_sources;
    bool has_value;
    enum nir_run run;
    int form; /* of the enum that belongs to `run` */
};
extern const struct nir_intrinsic_row nir_intrinsic_rows[NIR_INTRINSIC_N];
/* Is its value what memory or a texel holds? */
bool nir_intrinsic_is_load(const struct nir_intrinsic_row *row);
/* The operand that is written, of an intrinsic that writes: of a comparison with exchange the one that is written if they are
 * equal, before which is what is compared. */
uint32_t nir_intrinsic_get_data(const struct nir_intrinsic_row *row);
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
