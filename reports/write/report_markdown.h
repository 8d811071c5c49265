/* reports/write/report_markdown.h -- a report as Markdown, for trackers, merge requests and chats. */
#pragma once

#include "reports/model/report_view.h"
#include <stdio.h>

/* RES_IO is the caller's to find (ferror). */
MUST_USE enum res report_write_markdown(const struct report_view *v, struct arena *a, FILE *f,
                                        struct err *e);
