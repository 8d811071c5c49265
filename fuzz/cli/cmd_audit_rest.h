/* fuzz/cli/cmd_audit_rest.h -- what an audit left open: how much of it, about how long it takes, the command that goes on. */
#pragma once

#include <stdio.h>

#include "base/audit_result.h"
#include "fuzz/cli/cli.h"

/* The audits of one command. */
struct audit_rest {
    const struct audit *x; /* [n] borrowed, in the order in which they get their time */
    uint32_t n, n_targets; /* n < n_targets: the last ones were not begun */
    uint64_t budget_ns;    /* --for; 0: not given */
};
/* A line for each function and type that is incomplete, with the share tried and about how long the rest takes, then the
 * command line with the --for that is enough; nothing where all is complete. */
void cmd_audit_rest_print(const struct audit_rest *rest, const struct cli *c, struct arena *a,
                          FILE *f);
/* The --for with which all that is left comes to its end, "10m"; where not all of it can be told, of what can, and at
 * least twice the time that it had. */
const char *cmd_audit_rest_time(const struct audit_rest *rest, struct arena *a);
