/* oracle/nir/nir_texel.h -- texels of buffers and images. */
#pragma once

#include "oracle/nir/nir_machine.h"

/* One intrinsic of nir_intrinsic.def with run LOAD_TEXEL or STORE_TEXEL. A load beyond the extents gives 0 in each
 * component, a store there does nothing. Floats of another width than the texel's are converted, to fewer bits toward zero; integers
 * that are stored are extended by their type.
 * false: m->answer says what is not known. */
bool nir_run_load_texel(const struct nir_step *s);
bool nir_run_store_texel(const struct nir_step *s);

/* The texel that an invocation means: operand `first` is the descriptor, the next one the coordinates. */
struct nir_texel {
    unsigned char *bytes; /* NULL: it is beyond the extents */
    uint32_t n_bytes;
    enum texel_format format;
};
/* false: m->answer says that the descriptor is of no texels, or of other dimensions. */
bool nir_texel_find(const struct nir_step *s, uint32_t lane, uint32_t first, struct nir_texel *out);
