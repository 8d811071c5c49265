/* reports/write/report_json.h -- a report for programs; keys are stable, counts beyond 2^63-1 are cut. */
#pragma once

#include "reports/model/report_view.h"
#include <stdio.h>

/* RES_IO is the caller's to find (ferror). */
MUST_USE enum res report_write_json(const struct report_view *v, struct arena *a, FILE *f,
                                    struct err *e);
