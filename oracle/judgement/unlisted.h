/* oracle/judgement/unlisted.h -- what came of a case that uses what its target does not list. */
#pragma once

#include "base/testcase.h"
#include "oracle/judgement/judgement.h"

/* What a target makes of a case that uses what it does not list. */
enum unlisted_outcome {
    UNLISTED_ACCEPTED, /* it ran, and no violation was found */
    UNLISTED_REJECTED, /* refused, as it may be */
    UNLISTED_CRASHED,  /* died, hung, ended, or lost the device */
    UNLISTED_WRONG /* it ran, and the result is a violation of the instruction's specification */
};
enum {
    UNLISTED_N = 4
};
extern const char *const unlisted_names[UNLISTED_N]; /* "accepted", ... */
/* Which of these a run of class `unadvertised` came to; -1 where it was not run at all. */
int unlisted_of(const struct observation *ob, const struct judgement *g);
