/* fuzz/worker/crash.h -- one line with the top frames of a crash, written while the worker dies. */
#pragma once

#include "base/base.h"

/* Lines go to the open descriptor fd (nowhere, if it is not open); prepare the alternate stack; once, at the
 * start. */
MUST_USE enum res crash_open(int fd, struct err *e);
/* Install the handlers; again before each case, as drivers install their own before
 * the first. From then on a library's own are not installed: one that goes on after a crash would hide it. */
void crash_arm(void);
