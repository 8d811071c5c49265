/* oracle/value/value_to_int.h -- converts floats to integers: the one result, those of all members of a set, or
 * anything where the value is out of range. */
#pragma once

#include "oracle/value/value_set.h"

struct val value_to_int(const struct value_site *site);
/* Is `in` no conversion of floats to integers, or is its operand in range, whatever it is of what it may be?
 * Where the module is Vulkan's, the program is else undefined (S 3.3.11). */
bool value_fits_integer(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                        const struct mod_inst *in);
