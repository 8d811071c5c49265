/* gen/print/glsl_module.h -- GLSL 4.60, of compute shaders, as a language that modules are printed in. */
#pragma once

#include "gen/print/text.h"

extern const struct dialect glsl_dialect;
