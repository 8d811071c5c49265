/* gen/print/glsl_module.h -- a module as a compute shader of GLSL 4.60. */
#pragma once

#include "gen/print/clc_text.h"

/* The whole text, in p->a, of a printer whose module is read. p->res says whether it could be said. */
const char *glsl_print(struct clc_printer *p);
