/* tests/fuzzers/target_case.c -- fuzz target: a case as bytes. */
#include <string.h>

#include "base/testcase.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct err e = {.text = ""};
    struct testcase tc, again;
    size_t n = 0, n_again = 0;
    arena_init(&a, TARGET_ARENA_BYTES);
    if (target_is_ok(testcase_decode(&tc, &a, data, n_bytes, &e), &e)) {
        const unsigned char *const bytes = testcase_encode(&tc, &a, &n);
        target_require(bytes != NULL);
        target_require(testcase_decode(&again, &a, bytes, n, &e) == RES_OK);
        const unsigned char *const bytes_again = testcase_encode(&again, &a, &n_again);
        target_require(bytes_again && n == n_again && memcmp(bytes, bytes_again, n) == 0);
        target_require(testcase_get_items(&tc) >= 1 && testcase_get_groups(&tc) >= 1);
    }
    arena_free(&a);
    return 0;
}
