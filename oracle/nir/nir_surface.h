/* oracle/nir/nir_surface.h -- storage images and storage texel buffers of NVK on Kepler, whose programs compute the address
 * of each texel: with a few instructions for the purpose, from a descriptor in memory. */
#pragma once

#include "base/testcase.h"

enum {
    NIR_SURFACE_BYTES = 32 /* of a descriptor */
};
struct nir_abi;
struct nir_step;

/* Gives abi->buffers[buffer], which is one of the two, the layout that the chip has them in: an image lies in blocks of 64
 * bytes by 8 rows, and each of its slices begins at a multiple of 512 bytes. A texel buffer stays as it is. The region may
 * only be found by its address then, and nir_surface_get_content is the content. False: there is no room, or the image has
 * sizes that do not fit each other. */
bool nir_surface_make(struct nir_abi *abi, uint32_t buffer, struct arena *a);
/* Writes the descriptor. */
void nir_surface_put(const struct nir_abi *abi, uint32_t buffer, unsigned char *to);
/* The content in the order of the case; NULL: there is no room. */
const unsigned char *nir_surface_get_content(const struct nir_abi *abi, uint32_t buffer,
                                             struct arena *a);

/* What the fields of the instructions' results mean is told in nir_surface.c. */
enum nir_surface_form {
    NIR_SURFACE_CLAMP, /* of a coordinate: its block, its place in the block, and whether it is outside */
    NIR_SURFACE_MERGE, /* of the three coordinates' results: the place in the block, and whether one is outside */
    NIR_SURFACE_ADDRESS, /* of the block's number, that, and the image: the address in units of 256 bytes */
    NIR_SURFACE_MULTIPLY_ADD,
    NIR_SURFACE_LOAD, /* address, format, is it outside? */
    NIR_SURFACE_STORE /* those, and the texel */
};
/* One intrinsic of nir_intrinsic.def with run SURFACE. */
bool nir_run_surface(const struct nir_step *s);
