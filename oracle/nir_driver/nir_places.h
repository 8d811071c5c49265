/* oracle/nir_driver/nir_places.h -- where in the memory of its set NVK and Honeykrisp have the descriptor of a buffer. */
#pragma once

#include "oracle/nir_driver/nir_abi.h"

/* Sets abi->places of the buffers of abi->tc, in the order of bindings: each descriptor is aligned to its own size, or
 * to 16 bytes if it has more. */
void nir_places_make(struct nir_abi *abi);
/* The bytes of the descriptor of a buffer. */
uint32_t nir_places_size(const struct nir_abi *abi, enum buf_kind kind);
