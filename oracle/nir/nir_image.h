/* oracle/nir/nir_image.h -- loads, stores and atomics of storage images and storage texel buffers by a descriptor. */
#pragma once

#include "oracle/nir/nir_machine.h"

/* Operands: descriptor, coordinates, sample, then the texel of a store or the data of an atomic. */
enum nir_image_form {
    NIR_IMAGE_LOAD,
    NIR_IMAGE_STORE,
    NIR_IMAGE_STATE_LOAD, /* Honeykrisp: the descriptor is the number of a register that holds it */
    NIR_IMAGE_STATE_STORE,
    NIR_IMAGE_ATOMIC /* of one operand, or of two of a comparison with exchange */
};
/* One intrinsic of nir_intrinsic.def with run IMAGE. Texels are converted between the image's format and the type of the
 * value; components that the format has not are 0, the last one 1. Outside the image loads and atomics give 0, stores do
 * nothing. Honeykrisp counts the texels of a buffer in rows of 16384. Data of an atomic that are smaller than a texel count the first coordinate in their own size. */
bool nir_run_image(const struct nir_step *s);
