/* reports/folder/bug_compiler.h -- how a bug of a compiler without its device is shown and looked into. */
#pragma once

#include <stdio.h>

#include "reports/bug/bug.h"

/*
 * The section of report.md that says with which variables the program of the folder shows the bug on any machine, and
 * which switches of the driver its people would set. Nothing where the target does not only build.
 */
void bug_put_compiler(const struct bug *b, struct arena *a, FILE *f);
/* The section that shows what the compiler's program computes the wrong word of; of a target that has a device, nothing. */
void bug_put_program(const struct bug *b, FILE *f);
