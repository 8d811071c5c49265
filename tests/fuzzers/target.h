/* tests/fuzzers/target.h -- what every fuzz target offers: any bytes are safe, a broken promise aborts. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

/* The name that fuzzers and tests/fuzzers/replay.c call; 0. One per program, in target_*.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

/* A promise that holds for any input; says which one did not. */
#define target_require(holds) target_require_at((holds), __FILE__, __LINE__)
static inline void target_require_at(int holds, const char *file, int line)
{
    if (!holds) {
        (void)fprintf(stderr, "%s:%d: a promise is broken\n", file, line);
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
