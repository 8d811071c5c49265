/* oracle/nir/nir_kepler.h -- the instructions with which programs of Kepler compute the address of a texel: nir_surface.h. */
#pragma once

#include "oracle/nir/nir_machine.h"

/* One intrinsic of nir_intrinsic.def with run KEPLER. */
bool nir_run_kepler(const struct nir_step *s);
