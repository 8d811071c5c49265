/* gen/print/clc_module.h -- OpenCL C 3.0 as a language that modules are printed in. */
#pragma once

#include "gen/print/text.h"

extern const struct dialect clc_dialect;
