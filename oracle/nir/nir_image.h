/* oracle/nir/nir_image.h -- texels of images and of texel buffers, which lavapipe's programs name by a descriptor. */
#pragma once

#include "oracle/nir/nir_machine.h"

/* One intrinsic of group IMAGE: operands are the descriptor, the coordinates, a sample number, then what is stored or
 * combined. False: the answer says what has no meaning. Beyond the end of an image a load gives 0 and nothing is written. */
bool nir_run_image(const struct nir_step *s);
