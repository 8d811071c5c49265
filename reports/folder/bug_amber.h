/* reports/folder/bug_amber.h -- case.amber: the case as a script of Amber (AmberScript). */
#pragma once

#include "reports/bug/bug.h"
#include <stdio.h>

/* Does the script expect something of each word in question, so that Amber fails while the bug is there? */
bool bug_amber_tells(const struct bug *b);
void bug_put_amber(const struct bug *b, FILE *f);
