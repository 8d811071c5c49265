/* gen/print/clc_atomic.h -- atomic instructions as the functions of OpenCL C 2.0 and of cl_ext_float_atomics. */
#pragma once

#include "gen/print/text.h"

/* A store of 32 bits to the work-group's memory as atomic_init, where that is drawn: it is no atomic operation, and
 * stores just so. False: it is to be a plain store. */
bool clc_put_init(struct printer *p, const struct spv_inst *in);
/* False: in is no atomic. */
bool clc_put_atomic(struct printer *p, const struct spv_inst *in);
