/* reports/write/report_sarif.h -- a report as SARIF 2.1.0. */
#pragma once

#include "reports/model/report_view.h"
#include <stdio.h>

/* RES_IO is the caller's to find (ferror). */
MUST_USE enum res report_write_sarif(const struct report_view *v, struct arena *a, FILE *f,
                                     struct err *e);
