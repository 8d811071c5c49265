/* reports/write/html_findings.h -- the page's findings: each bug in full, others folded. */
#pragma once

#include "reports/write/html.h"

/* The bugs in the order of their rows; those that are set aside are folded. */
void html_put_bugs(const struct page *p);
/* The findings of a group, each folded, under its heading; nothing where there is none. */
void html_put_group(const struct page *p, enum report_group group);
