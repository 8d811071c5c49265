/* fuzz/worker/worker_edges.c -- is the driver in this worker built with AFL++'s instrumentation? */
#include "fuzz/worker/worker_edges.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * Of AFL++'s runtime, which halfulp-worker-afl alone is linked with: the highest cell that it gave to
 * an edge. The driver is there since before main (LD_PRELOAD), for the runtime takes none later.
 */
extern const uint32_t __afl_final_loc __attribute__((weak));

void worker_edges_begin(void)
{
    if (&__afl_final_loc) {
        (void)unsetenv("LD_PRELOAD");
    }
}

const char *worker_edges_add(const char *facts, struct arena *a)
{
    return &__afl_final_loc && __afl_final_loc > 0
               ? arena_printf(a, "%sworker.edges=%" PRIu32 "\n", facts, __afl_final_loc + 1)
               : facts;
}
