/* reports/write/report_html.h -- a report as two self-contained pages that name each other. */
#pragma once

#include <stdio.h>

#include "reports/model/report_view.h"

/* REPORT_PAGE: the bugs. */
MUST_USE enum res report_write_html(const struct report_view *v, struct arena *a, FILE *f,
                                    struct err *e);
/* REPORT_TRUST_PAGE: how far this is to be trusted, and all that is no bug. */
MUST_USE enum res report_write_trust(const struct report_view *v, struct arena *a, FILE *f,
                                     struct err *e);
