/* reports/write/html_plots.h -- bar charts of the page. */
#pragma once

#include "reports/write/html.h"

/* Findings by clause and target, values judged by target, sharpness by instruction. */
void html_put_plots(const struct page *p);
