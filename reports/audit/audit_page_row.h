/* reports/audit/audit_page_row.h -- one row of the audit with its plots and worst inputs. */
#pragma once

#include <stdio.h>

#include "reports/audit/audit_plot.h"

/* The i-th row of the audit. */
void page_put_row(const struct audit_row *row, uint32_t i, const struct audit_plots *plots,
                  struct arena *a, FILE *f);
