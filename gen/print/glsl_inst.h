/* gen/print/glsl_inst.h -- one instruction of a block as GLSL. */
#pragma once

#include "gen/print/text.h"

void glsl_put_inst(struct printer *p, const struct spv_inst *in);
