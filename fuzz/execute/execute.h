/* fuzz/execute/execute.h -- what an executor is asked, and what it answers. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir_driver/nir_driver.h"

/* A case, as the driver was given it, and the final NIR that the driver made of it. */
struct execute_request {
    struct testcase tc;
    enum nir_driver driver;
    uint32_t subgroup_size; /* for which it was compiled; 0: as the text says */
    const char *text;
    bool is_traced; /* what is asked for is the trace of a byte: */
    uint32_t buf, byte;
};

/* The payload of WIRE_EXECUTE, in `a`; NULL when it is full. */
const unsigned char *execute_encode(const struct execute_request *q, struct arena *a, size_t *n);
/* Inverse; any bytes are safe. */
MUST_USE enum res execute_decode(struct execute_request *q, struct arena *a, const void *p,
                                 size_t n, struct err *e);
/*
 * What a byte of a buffer is computed of, as lines of the text with the values that they gave. ob is RUN_BUILT with these
 * lines as its log, in `a`; "" where no invocation writes there.
 */
void execute_trace(const struct execute_request *q, struct arena *a, struct observation *ob);
/*
 * Runs a case as its driver compiled it.
 *   ob  RUN_DONE with the content of all buffers; or RUN_SKIPPED, where nothing is known of what the GPU would do, with
 *       EXECUTE_SKIPPED and the reason as the log. run_ns is the time that this took.
 */
void execute_run(const struct execute_request *q, struct arena *a, struct observation *ob);
#define EXECUTE_SKIPPED "final NIR not executed: "
