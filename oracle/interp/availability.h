/* oracle/interp/availability.h -- does a plain access reach other invocations, once a barrier orders it? */
#pragma once

#include <stdbool.h>

#include "oracle/interp/module.h"

/* Does each barrier of the module that orders memory make what was written available, and visible? */
bool availability_is_by_barriers(const struct module *m);
/*
 * Under Vulkan's memory model a load or store is private unless its operands say otherwise, and what is stored must be made
 * available and, for a load, visible: by the access's own operands or by barriers (m->barriers_share). Under any other
 * memory model it is shared as it is.
 * Clause: Vulkan specification, appendix Memory Model, Availability and Visibility; Private Memory Locations.
 */
bool availability_is_shared(const struct module *m, const struct mod_inst *in);
