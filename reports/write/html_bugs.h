/* reports/write/html_bugs.h -- the page's first screen: what came out, a row per bug, and how it goes over nights. */
#pragma once

#include "reports/write/html.h"

/* The sentences below the headline. */
void html_put_summary(const struct page *p);
/* A row for each bug of a shelf under its heading, or folded; nothing where it is empty. */
void html_put_shelf(const struct page *p, enum report_shelf shelf);
/* A bar per night, where there are two or more. */
void html_put_trend(const struct page *p);
