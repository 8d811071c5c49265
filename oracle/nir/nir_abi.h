/* oracle/nir/nir_abi.h -- what a driver hands to a program: arguments, ids, descriptors and the addresses of buffers. Addresses
 * are chosen here; each buffer has a range of its own, so that an address alone says which buffer is meant. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_intrinsic.h"
#include "oracle/nir/nir_program.h"

/* Which driver the text comes from: it decides how descriptors look. */
enum nir_driver {
    NIR_DRIVER_RADV,   /* of gfx11 and older */
    NIR_DRIVER_RADV12, /* of gfx12 */
    NIR_DRIVER_TURNIP,
    NIR_DRIVER_NVK,
    NIR_DRIVER_LAVAPIPE
};
enum {
    NIR_DRIVER_N = 5
};
extern const char
    *const nir_driver_names[NIR_DRIVER_N]; /* "radv", "radv12", "turnip", "nvk", "lavapipe" */
/* The driver of that name; -1: none. */
int nir_driver_find(const char *name);

/* Memory that has an address. */
struct nir_region {
    uint64_t address; /* of its first byte */
    uint32_t n_bytes;
    bool is_written; /* may a program write it? */
    unsigned char *bytes;
};
enum {
    NIR_SET_BYTES =
        4096, /* of the memory that the descriptors of a set are in: 16 each, and what is loaded beside them */
    NIR_ROOT_BYTES = 2048, /* of NVK's table of the dispatch, its constant buffer 0 */
    NIR_MAX_DESCRIPTORS = 2 * CASE_MAX_BUFS, /* of a set */
    NIR_MAX_ARGUMENTS = 64,                  /* of a shader: RADV has fewer */
    NIR_NO_BUFFER = 255
};
/* What argument number N of a shader of RADV is. */
enum nir_argument_kind {
    NIR_ARGUMENT_NONE,     /* no instruction loads it */
    NIR_ARGUMENT_SET,      /* the lower half of the address of the descriptors of set `number` */
    NIR_ARGUMENT_N_GROUPS, /* the number of work-groups, in three components */
    NIR_ARGUMENT_GROUP     /* component `number` of the work-group's id */
};
struct nir_argument {
    enum nir_argument_kind kind;
    uint32_t number;
};
struct nir_abi {
    enum nir_driver driver;
    uint32_t subgroup_size;
    const struct testcase *tc;
    struct nir_region buffers[CASE_MAX_BUFS]; /* by buffer of the case */
    struct nir_region
        addresses[CASE_MAX_BUFS]; /* lavapipe: what the descriptor of a BUF_ADDRESS names */
    struct nir_region sets
        [CASE_MAX_SETS];    /* descriptors, in the driver's form; n_bytes 0: there is no such set */
    struct nir_region root; /* NVK: constant buffer 0 */
    struct nir_region push; /* push constants; n_bytes 0: the case has none */
    uint8_t numbered
        [CASE_MAX_SETS]
        [NIR_MAX_DESCRIPTORS]; /* Turnip, lavapipe: buffer by number of descriptor, or NIR_NO_BUFFER */
    struct nir_argument arguments[NIR_MAX_ARGUMENTS];
    uint32_t
        constants[CASE_MAX_SETS]; /* NVK: the set that is constant buffer k + 1, or CASE_MAX_SETS */
};

/*
 * Copies the buffers of a case, and makes descriptors of them as the driver does.
 *   p       a program for which arguments are told apart
 *   answer  where the result is false: NIR_UNKNOWN a kind of buffer or an argument that is not known, NIR_BUDGET
 */
bool nir_abi_make(struct nir_abi *abi, enum nir_driver driver, uint32_t subgroup_size,
                  const struct testcase *tc, const struct nir_program *p, struct arena *a,
                  struct nir_answer *answer);

/* A dispatch begins: puts what programs read of it where the driver has it. */
void nir_abi_begin(struct nir_abi *abi, const struct dispatch *dispatch);

/* Where in a dispatch an invocation is. */
struct nir_place {
    const struct dispatch *dispatch;
    uint32_t group[3];    /* from the dispatch's base on */
    uint32_t n_in_group;  /* invocations of a work-group */
    uint32_t local_index; /* of the invocation */
    uint32_t subgroup;    /* in the work-group */
    uint32_t lane;
};
/*
 * Component c of an intrinsic of group ID.
 *   index    its constant arguments
 *   operand  of an intrinsic that has one; else 0
 *   false    this driver has no such argument or register: *out is 0
 */
bool nir_abi_get_id(const struct nir_abi *abi, const struct nir_place *place, enum nir_id_form form,
                    const int64_t *index, uint64_t operand, uint32_t c, uint64_t *out);

/* The region that has n bytes at an address; NULL: none has. */
const struct nir_region *nir_abi_find(const struct nir_abi *abi, uint64_t address, uint32_t n);
/* The uniform buffer that a handle of NVK names; NULL: none. */
const struct nir_region *nir_abi_find_handle(const struct nir_abi *abi, uint64_t handle);
/* The buffer that a descriptor names: four words of RADV, one word of Turnip; of lavapipe the address of a descriptor, or a
 * number of a set and one in it. NULL: none. */
const struct nir_region *nir_abi_find_descriptor(const struct nir_abi *abi, const uint64_t *words,
                                                 uint32_t n_words);
/* NVK's constant buffer number k: the root table, then sets. NULL: none. */
const struct nir_region *nir_abi_find_constant(const struct nir_abi *abi, uint64_t k);
