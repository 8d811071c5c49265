/* reports/model/report_groups.h -- coverage of group operations. */
#pragma once

#include "reports/model/report_view.h"

/* TABLE_GROUPS with v->groups. 0 when the arena is full. */
int report_groups_make(struct report_view *v, struct arena *a);
