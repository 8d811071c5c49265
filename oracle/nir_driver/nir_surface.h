/* oracle/nir_driver/nir_surface.h -- storage images and storage texel buffers of NVK on Kepler, whose programs compute the address
 * of each texel: with a few instructions for the purpose, from a descriptor in memory. */
#pragma once

#include "base/testcase.h"

enum {
    NIR_SURFACE_BYTES = 32, /* of a descriptor */
    /* Sizes as powers of two: a block's bytes in a row and its rows; the unit of addresses; a texel, as the formats that this
     * chip offers have 4 bytes. */
    NIR_SURFACE_WIDTH_SHIFT = 6,
    NIR_SURFACE_HEIGHT_SHIFT = 3,
    NIR_SURFACE_BLOCK_SHIFT = NIR_SURFACE_WIDTH_SHIFT + NIR_SURFACE_HEIGHT_SHIFT,
    NIR_SURFACE_UNIT_SHIFT = 8,
    NIR_SURFACE_TEXEL_SHIFT = 2
};
struct nir_abi;

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
/* Where byte number `byte` of the content is now. */
const unsigned char *nir_surface_find_byte(const struct nir_abi *abi, uint32_t buffer,
                                           uint32_t byte);
/* Where in a block byte x of row y lies. */
uint32_t nir_surface_swizzle(uint32_t x, uint32_t y);
