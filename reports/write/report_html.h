/* reports/write/report_html.h -- a report as one self-contained page. */
#pragma once

#include "reports/model/report_view.h"
#include <stdio.h>

/* RES_IO is the caller's to find (ferror). */
MUST_USE enum res report_write_html(const struct report_view *v, struct arena *a, FILE *f,
                                    struct err *e);
