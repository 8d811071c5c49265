/* gen/print/clc_group.h -- group instructions as functions of work-groups and sub-groups. */
#pragma once

#include "gen/print/text.h"

/* False: in is no group instruction that OpenCL C knows. */
bool clc_put_group(struct printer *p, const struct spv_inst *in);
