/* reports/folder/bug_report.h -- report.md: a bug in the form that the trackers of drivers ask for. */
#pragma once

#include "reports/bug/bug.h"
#include <stdio.h>

void bug_put_report(const struct bug *b, FILE *f);
