/* gen/print/c_inst.h -- one instruction of a block as OpenCL C: values, memory, calls. */
#pragma once

#include "gen/print/c_text.h"

/* Everything but blocks, branches and phis. What has no words ends in p->res. */
void c_put_inst(struct c_printer *p, const struct spv_inst *in);
