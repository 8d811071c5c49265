/* tests/rig/patience.h -- how long a test waits for what must come. The measure is the event, never the
 * time: on any machine, however busy, only a hang takes so long. scripts/test.sh ends a test program
 * that takes longer. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

enum {
    PATIENCE_MS = 30 * 60 * 1000
};
#define PATIENCE_NS (PATIENCE_MS * UINT64_C(1000000))

/* What happens here depends on how far a process comes in a time: `make check-slow` runs it. */
static inline void only_in_check_slow(void)
{
    if (!getenv("HALFULP_SLOW")) {
        print_message("skipped: in make check-slow, or with HALFULP_SLOW=1\n");
        skip();
    }
}
