/* oracle/nir/nir.h -- runs the final NIR of a driver's compiler, as text, on the inputs of a case: what the GPU would give,
 * as far as NIR defines it. */
#pragma once

#include "base/testcase.h"
#include "oracle/nir/nir_trace.h"
#include "oracle/nir_driver/nir_driver.h"
#include "oracle/nir_text/nir_answer.h"

/* A text and what must be known of how it was compiled. */
struct nir_request {
    const char *text; /* of Honeykrisp the log that nir_log.h tells of */
    size_t n_bytes;
    enum nir_driver driver;
    uint32_t subgroup_size; /* for which the code was compiled; 0: as the text says */
    uint64_t max_steps;     /* instructions of all invocations together; 0: NIR_MAX_STEPS */
};
#define NIR_MAX_STEPS UINT64_C(1000000000) /* about ten seconds */

/*
 * Runs a case.
 *   tc      of Vulkan; its storage and uniform buffers are what the text's descriptors name
 *   ob      where the result is true: RUN_DONE with the content of all buffers, in `a`; else RUN_SKIPPED
 *   answer  how it ended, in any case
 * Any text is safe. False: nothing is known of what the GPU would give, and answer->text says why.
 */
bool nir_run(const struct nir_request *q, const struct testcase *tc, struct arena *a,
             struct observation *ob, struct nir_answer *answer);
/*
 * What a byte of a buffer is computed of. A case with several dispatches has no trace of a byte that more than one writes
 * in the same work-group.
 *   out    out->buf and out->byte say which byte; the rest is the answer
 *   false  no invocation writes the byte, or the case was not run to its end: out->n is 0
 */
bool nir_trace(const struct nir_request *q, const struct testcase *tc, struct arena *a,
               struct nir_trace *out);
