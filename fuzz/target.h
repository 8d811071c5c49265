/* fuzz/target.h -- what every fuzz target offers: any bytes are safe, a broken promise aborts. */
#ifndef HALFULP_FUZZ_TARGET_H
#define HALFULP_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"

/* The name that fuzzers and fuzz/replay.c call; 0. One per program, in target_*.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

/* A promise that holds for any input. */
static inline void target_require(int holds)
{
    if (!holds) {
        abort();
    }
}

/* Bad input is an answer; our own confusion is not. Returns whether r is RES_OK. */
static inline int target_is_ok(enum res r, const struct err *e)
{
    target_require(r != RES_INTERNAL);
    target_require(r == RES_OK || e->text[0] != '\0');
    return r == RES_OK;
}

#endif
