/* oracle/func/func_special.h -- computes the results that an environment prescribes for special arguments (zeros,
 * infinities, NaNs, poles), or leaves undefined, from a table and one function per case. */
#pragma once

#include "base/func_row.h"
#include "base/testcase.h"
#include "oracle/num/set.h"

/*
 * What the environment prescribes for these arguments, no rounding and no bound about it (sin(-0)
 * is -0, pow(1, NaN) is 1, NaN for NaN): 1 and *out, else 0 and the function is to be computed.
 * ENV_CL: C99 section F.9 as OpenCL C amends it; ENV_VK: GLSL.std.450, with "undefined" as SET_ANY.
 */
int func_get_special(enum func_id id, enum env env, const struct func_args *a, struct set *out);
