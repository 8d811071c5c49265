/* oracle/nir_driver/nir_radv.h -- RADV: descriptors are memory that pointers among the arguments name; ids are arguments, or
 * registers of gfx12. */
#pragma once

#include "oracle/nir_driver/nir_rules.h"

extern const struct nir_rules nir_radv;
extern const struct nir_rules nir_radv12;
