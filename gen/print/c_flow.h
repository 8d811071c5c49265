/* gen/print/c_flow.h -- functions: their heads, and blocks as if and for. */
#pragma once

#include "gen/print/c_text.h"

/* Every function, the entry point last, into p->functions. */
void c_put_functions(struct c_printer *p);
