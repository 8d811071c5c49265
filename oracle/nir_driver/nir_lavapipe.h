/* oracle/nir_driver/nir_lavapipe.h -- lavapipe: the control, whose device gives what its texts must give here. */
#pragma once

#include "oracle/nir_driver/nir_rules.h"

extern const struct nir_rules nir_lavapipe;
