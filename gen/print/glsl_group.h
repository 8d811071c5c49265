/* gen/print/glsl_group.h -- group instructions as functions of GLSL. */
#pragma once

#include "gen/print/glsl_text.h"

/* false: it is none. */
bool glsl_put_group(struct printer *p, const struct spv_inst *in);
