/* oracle/nir/nir_places.h -- where in the memory of its set NVK and Honeykrisp have the descriptor of a buffer, and what it
 * looks like. */
#pragma once

#include "oracle/nir/nir_abi.h"

/* Sets abi->places of the buffers of abi->tc, in the order of bindings: each descriptor is aligned to its own size, or
 * to 16 bytes if it has more. */
void nir_places_make(struct nir_abi *abi);
/* Writes the descriptor of a buffer into the memory of its set; r is what it names. */
void nir_places_put(struct nir_abi *abi, uint32_t buffer, const struct nir_region *r);
/* The bytes of the descriptor of a buffer. */
uint32_t nir_places_size(enum nir_driver driver, enum buf_kind kind);
/* The image or texel buffer that a word names: of NVK the descriptor, of Honeykrisp the number of the uniform that is the
 * address of its set, and behind that, in 16 bits, an offset there. NIR_NO_BUFFER: none. */
uint32_t nir_places_find_image(const struct nir_abi *abi, uint64_t word);
/* Does an image of Honeykrisp with depth or layers have its descriptor at this offset of a region? Where it says how far slices
 * are apart is not known, so a program that computes addresses of texels itself cannot be run. */
bool nir_places_is_unknown(const struct nir_abi *abi, const struct nir_region *r, uint64_t offset);
/* The address of the uniform buffer that a handle of NVK names. */
uint64_t nir_places_get_address(uint64_t handle);
