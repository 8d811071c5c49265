/* gen/print/c_group.h -- group instructions as functions of work-groups and sub-groups. */
#pragma once

#include "gen/print/c_text.h"

/* False: in is no group instruction that OpenCL C knows. */
bool c_put_group(struct c_printer *p, const struct spv_inst *in);
