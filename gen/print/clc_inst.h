/* gen/print/clc_inst.h -- one instruction of a block as OpenCL C: values, memory, calls. */
#pragma once

#include "gen/print/text.h"

/* Everything but blocks, branches and phis. What has no words ends in p->res. */
void clc_put_inst(struct printer *p, const struct spv_inst *in);
