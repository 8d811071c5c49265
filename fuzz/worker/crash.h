/* fuzz/worker/crash.h -- one line with the top frames of a crash, written while the worker dies, and then what the
 * driver's own handlers print on standard error: LLVM's names the pass. They run in a copy of the process, for seconds
 * at most, and change nothing of how the worker dies. */
#pragma once

#include "base/base.h"

/* Lines go to the open descriptor fd (nowhere, if it is not open); prepare the alternate stack; once, at the
 * start. */
MUST_USE enum res crash_open(int fd, struct err *e);
/* Install the handlers; again before each case, as drivers install their own before
 * the first. From then on a library's own are not installed, only kept for the end: one that goes on after a
 * crash would hide it. */
void crash_arm(void);
