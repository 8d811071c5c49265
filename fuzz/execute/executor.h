/* fuzz/execute/executor.h -- the process of an executor: started, asked, ended. */
#pragma once

#include "base/expect.h"
#include "fuzz/execute/execute.h"
#include "fuzz/process/child.h"
#include "fuzz/targets/targets.h"

/* Zeroed: none is started. */
struct executor {
    struct child child;
    bool is_up;
    bool is_busy;
};

/* Does the observation hold a text that can be executed, and is the driver known? Fills *q, but for the case. */
bool executor_can(const struct observation *ob, const char *facts, struct execute_request *q);
/* Ask for a run; the process is started where there is none. Memory of the message is in `a`. RES_IO, RES_NOMEM. */
MUST_USE enum res executor_begin(struct executor *x, const struct target *t,
                                 const struct execute_request *q, struct arena *a, struct err *e);
/*
 * Look once, without waiting: true when the run is over, and *ob says how (execute_run), in `a`. An executor that dies is
 * our own fault: RUN_HARNESS.
 */
bool executor_poll(struct executor *x, const struct testcase *tc, struct arena *a,
                   struct observation *ob);
/* Its time is over: end it. *ob is then RUN_SKIPPED. */
void executor_stop(struct executor *x, struct arena *a, struct observation *ob);
/*
 * What the driver's program computes a byte of: a process is started for it, asked, and ended. *text is that of
 * execute_trace, in `a`; "" where the observation has no program, or the process did not answer in time.
 */
MUST_USE enum res executor_trace(const struct target *t, const struct testcase *tc,
                                 const struct observation *ob, const struct expect *at,
                                 struct arena *a, const char **text, struct err *e);
/* End the process, whatever it does. */
void executor_free(struct executor *x);
