/* reports/bug/bug_amber.h -- case.amber: the case as a script of Amber (AmberScript). */
#pragma once

#include "reports/bug/bug.h"
#include <stdio.h>

void bug_put_amber(const struct bug *b, FILE *f);
