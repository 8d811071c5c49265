/* reports/audit/audit_tables.h -- the tables of an audit's page. */
#pragma once

#include "base/audit_result.h"
#include "reports/model/table.h"

/* Each may be without rows. 0: the arena is full. */

/* Of a whole audit: forms that break what they must keep, with an example each; and all forms. */
int audit_table_wrong(struct report_table *t, const struct audit *x, struct arena *a);
int audit_table_forms(struct report_table *t, const struct audit *x, struct arena *a);
/* Two tables of a math library: its forms without hardware instructions, and its other forms. */
int audit_table_own(struct report_table *t, const struct audit *x, struct arena *a);
int audit_table_modelled(struct report_table *t, const struct audit *x, struct arena *a);
/* Forms that are not monotonic or not symmetric where their function is. */
int audit_table_order(struct report_table *t, const struct audit *x, struct arena *a);
/* Of a row, by form: its largest errors; inputs with wrong results. */
int audit_table_largest(struct report_table *t, const struct audit_row *row, struct arena *a);
int audit_table_examples(struct report_table *t, const struct audit_row *row, struct arena *a);
