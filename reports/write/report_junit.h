/* reports/write/report_junit.h -- a report as JUnit XML. */
#pragma once

#include "reports/model/report_view.h"
#include <stdio.h>

/* RES_IO is the caller's to find (ferror). */
MUST_USE enum res report_write_junit(const struct report_view *v, struct arena *a, FILE *f,
                                     struct err *e);
