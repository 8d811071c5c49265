/* oracle/nir_driver/nir_turnip.h -- Turnip: descriptors have numbers in their set, and are no memory. */
#pragma once

#include "oracle/nir_driver/nir_rules.h"

extern const struct nir_rules nir_turnip;
extern const struct nir_rules nir_turnip32;
