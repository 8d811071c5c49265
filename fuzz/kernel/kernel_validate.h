/* fuzz/kernel/kernel_validate.h -- what the newest SPIRV-Tools here say of a module. */
#pragma once

#include "base/testcase.h"

enum kernel_validity {
    KERNEL_VALIDITY_UNKNOWN, /* there is no other validator here, or it did not run */
    KERNEL_VALID,
    KERNEL_INVALID
};
/* Asks spirv-val of the root of sid below `root` (targets_get_root), in bwrap. *text: what it says, one line; "". */
enum kernel_validity kernel_validate(const char *root, const struct testcase *tc, struct arena *a,
                                     const char **text);
