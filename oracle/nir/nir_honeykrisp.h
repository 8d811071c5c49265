/* oracle/nir/nir_honeykrisp.h -- Honeykrisp: addresses of sets are in uniform registers, which the preamble fills. */
#pragma once

#include "oracle/nir/nir_rules.h"

extern const struct nir_rules nir_honeykrisp;
