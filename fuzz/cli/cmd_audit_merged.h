/* fuzz/cli/cmd_audit_merged.h -- the reports of an audit whose shards were united. */
#pragma once

#include "base/base.h"

/* audit.json and the others, into the folder that halfulp merge made. */
MUST_USE enum res cmd_audit_merged_write(const char *folder, struct err *e);
