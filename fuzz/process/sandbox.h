/* fuzz/process/sandbox.h -- the sandbox of a worker: bubblewrap, where it works. */
#pragma once

#include "base/base.h"

enum {
    SANDBOX_WORDS = 48
};

/* The words before a worker that make its sandbox, at most SANDBOX_WORDS; "{own}" as in child.h.
 * How many. */
size_t sandbox_put(const char **argv);
/* Of these the ones that a bwrap with another root file system needs as well. */
size_t sandbox_put_isolation(const char **argv);
/* May and can workers be in the sandbox? As HALFULP_SANDBOX says, "yes", "no" or nothing, which is yes
 * where it works: bwrap is run once. RES_USAGE: another word; "yes", but it does not work, and why. */
MUST_USE enum res sandbox_find(int *has_sandbox, struct arena *a, struct err *e);
