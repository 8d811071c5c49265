/* oracle/interp/availability.h -- decides from the words of a plain load or store, and of the module's barriers,
 * whether a barrier makes it available and visible to the other invocations (Vulkan memory model). */
#pragma once

#include <stdbool.h>

#include "oracle/interp/module.h"

/* Is what is ordered, available or visible in that SpvScope so for all invocations of a work-group? */
static inline bool availability_is_of_group(uint64_t scope)
{
    return scope == SpvScopeCrossDevice || scope == SpvScopeDevice || scope == SpvScopeWorkgroup ||
           scope == SpvScopeQueueFamily;
}
/* Does each barrier of the module that orders the memory of a work-group make what was written available, and visible? */
bool availability_is_by_barriers(const struct module *m);
/*
 * Under Vulkan's memory model a load or store is private unless its operands say otherwise, and what is stored must be made
 * available and, for a load, visible: by the access's own operands, of a scope that holds the work-group, or by barriers
 * (m->barriers_share). Under any other
 * memory model it is shared as it is.
 * Clause: Vulkan specification, appendix Memory Model, Availability and Visibility; Private Memory Locations.
 */
bool availability_is_shared(const struct module *m, const struct mod_inst *in);
