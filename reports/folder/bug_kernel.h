/* reports/folder/bug_kernel.h -- the kernel of a bug in its report. */
#pragma once

#include "reports/bug/bug.h"

/* The part of report.md that shows the kernel: in the language of its API, where that has words for it, and as SPIR-V: the
 * whole text if it is short, else the part around the instruction in question. */
void bug_put_kernel(const struct bug *b, FILE *f);
/* The text of the case's module; "" where there is none. */
const char *bug_get_text(const struct bug *b);
