/* oracle/nir_driver/nir_nvk.h -- NVK: descriptors lie in constant buffers, behind a table of the dispatch. */
#pragma once

#include "oracle/nir_driver/nir_rules.h"

extern const struct nir_rules nir_nvk;
extern const struct nir_rules nir_maxwell;
extern const struct nir_rules nir_kepler;
