/* fuzz/cli/cmd_audit_bugs.h -- a folder for each form of an audit that breaks its bound: one small kernel that shows it. */
#pragma once

#include "base/audit_result.h"
#include "fuzz/targets/targets.h"

/* Run each wrong result of the audit again on the target, in a kernel of that function alone with that input, and write
 * the folder of the bug below `folder`. *n: how many; *n_lost: results that a kernel of their own does not show. One
 * that cannot be run is told on standard error, and is lost. */
MUST_USE enum res cmd_audit_bugs_write(const struct audit *x, const struct target *t,
                                       const char *folder, uint32_t *n, uint32_t *n_lost,
                                       struct err *e);
