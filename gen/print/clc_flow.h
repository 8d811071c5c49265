/* gen/print/clc_flow.h -- functions: their heads, and blocks as if and for. */
#pragma once

#include "gen/print/clc_text.h"

/* Every function, the entry point last, into p->functions. */
void clc_put_functions(struct clc_printer *p);
/* The function of that id under another head: its parameters have their texts. It stands before the function that is
 * being printed. */
void clc_put_copy(struct clc_printer *p, uint32_t id, const char *head);
