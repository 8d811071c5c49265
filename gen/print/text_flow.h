/* gen/print/text_flow.h -- puts the functions of a module: blocks become if, for and switch by their merge
 * instructions. At most TEXT_MAX_COPIES copies of functions within each other. */
#pragma once

#include "gen/print/text.h"

/* Every function, the entry point last, into p->functions. */
void text_put_functions(struct printer *p);
/* The function of that id under another head: its parameters have their texts. It stands before the function that is
 * being printed. */
void text_put_copy(struct printer *p, uint32_t id, const char *head);
