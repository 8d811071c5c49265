/* reports/write/html_findings.h -- the page's findings: bugs by family in full, others folded. */
#pragma once

#include "reports/write/html.h"

/* The buckets of a group with their headings: bugs by family, in full; others folded. `level` is that of
 * the group's heading, 0: it has none. */
void html_put_group(const struct page *p, enum report_group group, int level);
