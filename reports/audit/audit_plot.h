/* reports/audit/audit_plot.h -- plots of a row of an audit: largest error by input, results by error. */
#pragma once

#include "base/audit_result.h"
#include "reports/write/html.h"

/* Both plots, and which forms share a curve; nothing where no form has results. */
void audit_put_plots(const struct page *p, const struct audit_row *row);
