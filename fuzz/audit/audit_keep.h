/* fuzz/audit/audit_keep.h -- rows on disk, for the next start. */
#pragma once

#include "fuzz/audit/audit.h"

/* The rows with their results, and what the audit is of; name of a row: audit_name_row. */
MUST_USE enum res audit_keep_write(const struct audit *x, const struct audit_request *r,
                                   struct err *e);
/* Fill rows that the folder's audit.state has. RES_USAGE: it is of another target, driver or shard. */
MUST_USE enum res audit_keep_read(struct audit *x, const struct audit_request *r, struct arena *a,
                                  struct err *e);
