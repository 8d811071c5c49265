/* reports/model/report_make.h -- a report worked out from its campaign. */
#pragma once

#include "reports/model/report_view.h"

/* Work out everything that a report of `c` shows. `out` borrows from `c` and `a`. RES_NOMEM. */
MUST_USE enum res report_view_make(struct report_view *out, const struct campaign *c,
                                   struct arena *a, struct err *e);
