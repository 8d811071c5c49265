/* gen/print/glsl_atomic.h -- atomic instructions and barriers as functions of GLSL. */
#pragma once

#include "gen/print/glsl_text.h"

/* false: it is neither. */
bool glsl_put_atomic(struct printer *p, const struct spv_inst *in);
