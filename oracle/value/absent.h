/* oracle/value/absent.h -- finds what the invocations that an uneven dispatch lacks would do: interprets each of
 * them alone and records which bytes it may touch. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/math/rules.h"

/*
 * The last work-groups of a dispatch whose size is no multiple of the work-group's are smaller than the others. A driver that runs
 * them whole runs invocations that are absent. What each of these does alone is found by interpreting it: what it loads from a
 * buffer is the initial content, what it gets of others is unknown.
 */
struct absent {
    unsigned char *touched[CASE_MAX_BUFS]; /* by byte: 1: an absent invocation writes it */
    bool is_inside;                        /* any byte is touched */
    bool is_outside; /* an access of one lies in no buffer, or its address is unknown */
    bool is_open;    /* what one does is not determined, or was not followed to its end */
    bool
        is_joint; /* the module has group instructions, barriers or work-group memory: those that are there may get a value of
                      * the absent ones */
};
/* `x` has run the case, as rs rules. False: the arena is full. */
bool absent_find(struct exec *x, const struct ruleset *rs, struct absent *out);
