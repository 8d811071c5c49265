/* reports/folder/bug_host.h -- a program of its own that shows the bug. */
#pragma once

#include "reports/bug/bug.h"
#include <stdio.h>

void bug_put_host(const struct bug *b, FILE *f);
