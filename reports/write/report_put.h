/* reports/write/report_put.h -- foreign text in a report. */
#pragma once

#include "reports/write/report.h"
#include <stdio.h>

/* The only way in for foreign text (device names, logs): escaped for the format, control
 * characters shown as \xNN, invalid UTF-8 likewise. */
void report_put_text(enum report_format format, const char *text, FILE *f);
