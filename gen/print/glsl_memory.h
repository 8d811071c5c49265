/* gen/print/glsl_memory.h -- buffers, images, work-group memory and variables in GLSL, and what reads and writes them. */
#pragma once

#include "gen/print/glsl_text.h"

/* Declarations of the module's variables, as lines; each is then its own name. */
const char *glsl_declare(struct printer *p);
/* false: it is no instruction on memory. */
bool glsl_put_memory(struct printer *p, const struct spv_inst *in);
