/* oracle/nir_driver/nir_abi.h -- what a driver hands to a program: arguments, ids, descriptors and the addresses of buffers. What is
 * common to all drivers is here; the rest is in the rules of each, nir_rules.h. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir_driver/nir_arguments.h"
#include "oracle/nir_driver/nir_driver.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_program.h"

/* Memory that has an address. */
struct nir_region {
    uint64_t address; /* of its first byte */
    uint32_t n_bytes; /* 0: there is none */
    bool is_written;  /* may a program write it? */
    unsigned char *bytes;
};
enum {
    NIR_SET_BYTES =
        4096, /* of the memory that the descriptors of a set are in, and what is loaded beside them */
    NIR_MAX_STATES = 64,                     /* registers that hold descriptors of images */
    NIR_MAX_DESCRIPTORS = 2 * CASE_MAX_BUFS, /* of a set */
    NIR_NO_BUFFER = 255
};
struct nir_abi {
    const struct nir_rules *rules;
    uint32_t subgroup_size;
    const struct testcase *tc;
    struct nir_region buffers[CASE_MAX_BUFS]; /* by buffer of the case */
    struct nir_region
        cells[CASE_MAX_BUFS]; /* of a buffer of kind ADDRESS the memory that holds its address */
    struct nir_region sets[CASE_MAX_SETS]; /* descriptors, in the driver's form */
    struct nir_region push;                /* push constants */
    struct nir_region root; /* the table of the dispatch; of RADV how many work-groups there are */
    struct nir_region uniforms; /* Honeykrisp: registers that the preamble writes */
    uint64_t states
        [NIR_MAX_STATES]; /* Honeykrisp: the word that names an image, for nir_abi_find_image; 0: not set */
    uint32_t
        places[CASE_MAX_BUFS]; /* of a buffer's descriptor in its set, in bytes: nir_places.h */
    uint8_t numbered[CASE_MAX_SETS]
                    [NIR_MAX_DESCRIPTORS]; /* buffer by number of descriptor, or NIR_NO_BUFFER */
    struct nir_argument arguments[NIR_MAX_ARGUMENTS]; /* RADV */
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
    uint32_t local[3];    /* in its work-group */
    uint32_t n_in_group;  /* invocations of a work-group */
    uint32_t local_index; /* of the invocation */
    uint32_t subgroup;    /* in the work-group */
    uint32_t lane;
};
/* Sets place->local of place->local_index. */
void nir_place_set_local(struct nir_place *place, const uint32_t size[3]);

/* One component of an intrinsic of group ID. */
struct nir_id {
    enum nir_id_form form;
    const int64_t *index; /* its constant arguments */
    uint64_t operand;     /* of an intrinsic that has one; else 0 */
    uint32_t c;           /* which component */
};
/* False: this driver has no such argument or register, *out is 0. */
bool nir_abi_get_id(const struct nir_abi *abi, const struct nir_place *place, struct nir_id id,
                    uint64_t *out);

/* The storage image or the storage texel buffer of the case that a descriptor names. NIR_NO_BUFFER: none. */
uint32_t nir_abi_find_image(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words);
