/* oracle/func/func_special_vk.h -- what GLSL.std.450 leaves undefined, and what it prescribes. */
#pragma once

#include "base/func_row.h"
#include "oracle/num/set.h"

/* The special values of ENV_VK; arguments as func_get_special. */
int func_get_special_vk(enum func_id id, const struct func_args *a, struct set *out);
