/* gen/print/clc_atomic.h -- atomic instructions as the functions of OpenCL C 2.0 and of cl_ext_float_atomics. */
#pragma once

#include "gen/print/clc_text.h"

/* False: in is no atomic. */
bool clc_put_atomic(struct clc_printer *p, const struct spv_inst *in);
