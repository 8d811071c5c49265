/* oracle/nir_driver/nir_honeykrisp.h -- Honeykrisp: addresses of sets are in uniform registers, which the preamble fills. */
#pragma once

#include "oracle/nir_driver/nir_rules.h"

extern const struct nir_rules nir_honeykrisp;
