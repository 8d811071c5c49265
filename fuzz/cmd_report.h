/* fuzz/cmd_report.h -- what the files of `halfulp report` share. */
#ifndef HALFULP_FUZZ_CMD_REPORT_H
#define HALFULP_FUZZ_CMD_REPORT_H

#include "fuzz/journal.h"

/* fuzz/cmd_report_bugs.c: a folder below `folder` for each bucket of violations that was looked into;
 * *n is their number. One that cannot be made is told on standard error, the others are made. */
MUST_USE enum res report_bugs(struct journal *j, const struct campaign *c, const char *folder,
                              uint32_t *n, struct err *e);

#endif
