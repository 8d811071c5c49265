/* tests/fuzzers/target_observation.c -- fuzz target: a worker's answer as bytes. */
#include <string.h>

#include "base/testcase.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    SMALL_BYTES = 16,
    LARGE_BYTES = 64
};

/* The bytes are an observation of a case with two buffers, as a worker sends it. What was read must be
 * written and read again as the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    unsigned char small[SMALL_BYTES] = {0}, large[LARGE_BYTES] = {0};
    struct testcase const tc = {
        .profile = "atomics",
        .entry = "main_kernel",
        .build_options = "",
        .n_bufs = 2,
        .bufs = {{.n_bytes = SMALL_BYTES, .data = small}, {.n_bytes = LARGE_BYTES, .data = large}}
    };
    struct arena a;
    struct err e = {.text = ""};
    struct observation ob, again;
    size_t n = 0, n_again = 0;
    arena_init(&a, TARGET_ARENA_BYTES);
    if (target_is_ok(observation_decode(&ob, &tc, &a, data, n_bytes, &e), &e)) {
        const unsigned char *const bytes = observation_encode(&tc, &ob, &a, &n);
        target_require(bytes != NULL);
        target_require(observation_decode(&again, &tc, &a, bytes, n, &e) == RES_OK);
        const unsigned char *const bytes_again = observation_encode(&tc, &again, &a, &n_again);
        target_require(bytes_again && n == n_again && memcmp(bytes, bytes_again, n) == 0);
    }
    arena_free(&a);
    return 0;
}
