/* oracle/nir_driver/nir_rules.h -- what differs between drivers: how each lays out what it hands to a program, and which memory a
 * program means. A driver has one of these: nir_driver.def. */
#pragma once

#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_text/nir_float.h"

struct nir_rules {
    /* Writes descriptors and tables: abi has the memory of buffers, of the sets that these are in, and of push constants.
     * False: the answer says what is not known, or that the arena is full. */
    bool (*put)(struct nir_abi *abi, struct arena *a, struct nir_answer *answer);
    /* Finds out what a text does not say: which argument or which constant buffer is what. NULL: it says everything. */
    bool (*read)(struct nir_abi *abi, const struct nir_program *p, struct arena *a,
                 struct nir_answer *answer);
    /* A dispatch begins. NULL: no table tells of it. */
    void (*begin)(struct nir_abi *abi, const struct dispatch *dispatch);
    /* nir_abi_get_id of a form that is the driver's own. NULL: it has none. */
    bool (*get_id)(const struct nir_abi *abi, const struct nir_place *place, struct nir_id id,
                   uint64_t *out);
    /* The buffer that a descriptor names, and the number of the image or texel buffer; NULL or NIR_NO_BUFFER: none. */
    const struct nir_region *(*find_buffer)(const struct nir_abi *abi, const uint64_t *words,
                                            uint32_t n_words);
    uint32_t (*find_image)(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words);
    /* What an intrinsic of space CONSTANT_NV or HANDLE_NV names. NULL: it has no such buffers. */
    const struct nir_region *(*find_constant)(const struct nir_abi *abi, enum nir_space space,
                                              uint64_t name);
    /* May no program read these bytes of a region, since what the driver has there is not known? NULL: it may. */
    bool (*is_hidden)(const struct nir_abi *abi, const struct nir_region *r, uint64_t offset);
    /* Floating point where the chip does not do as the header says. NULL: it does. */
    void (*set_modes)(const struct nir_header *h, struct nir_modes *modes);
    bool is_log;               /* its text is a log: nir_log.h */
    bool has_base_in_group;    /* the work-group's id counts from the dispatch's base on, */
    bool lacks_base_globally;  /* the id within the dispatches from 0 on */
    bool has_surfaces;         /* programs compute addresses of texels: nir_surface.h */
    bool begins_with_identity; /* reductions and scans do, not with the first value */
    bool loads_zero;           /* a load from an address that no buffer has gives 0 */
    bool stores_toward_zero;   /* floats that become those of a texel with fewer bits, and back */
    uint8_t row_shift; /* texels of a buffer are in rows of 1 << row_shift; 0: they are not */
    uint8_t
        image_bytes; /* where descriptors lie as nir_places.h says: those of an image or of texels in a buffer */
};
