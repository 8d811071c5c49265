/* oracle/func/func_special_cl.h -- what C99 section F.9 and OpenCL C prescribe. */
#pragma once

#include "base/func_row.h"
#include "oracle/num/set.h"

/* The special values of ENV_CL; arguments as func_get_special. */
int func_get_special_cl(enum func_id id, const struct func_args *a, struct set *out);
