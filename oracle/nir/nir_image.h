/* oracle/nir/nir_image.h -- loads, stores and atomics of storage images and storage texel buffers by a descriptor. */
#pragma once

#include "oracle/nir/nir_machine.h"

/* One intrinsic of nir_intrinsic.def with run IMAGE. Texels are converted between the image's format and the type of the
 * value, as the driver's rules say; integers that are stored are extended by their type; components that the format has not
 * are 0, the last one 1. Outside the image loads and atomics give 0, stores do nothing. Data of an atomic that are smaller
 * than a texel count the first coordinate in their own size. False: the answer says what is not known, or that the access
 * has other dimensions than the image. */
bool nir_run_image(const struct nir_step *s);
