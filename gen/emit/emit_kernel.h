/* gen/emit/emit_kernel.h -- entry points beside the one that runs. */
#pragma once

#include "gen/emit/emit.h"

/* The functions of the program's other entry points, into e->first and e->others, when the one that runs is put: what that
 * calls may be called by them too. */
void emit_kernels(struct emit *e);
