/* tests/fuzzers/target_tape.c -- fuzz target: a tape file, and the cases that it decodes to. */
#include <string.h>

#include "tests/fuzzers/target_tape_file.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20
};

/* Any tape that was accepted gives a case in each environment, and the same one twice. */
static void decode_twice(const struct tape *t, enum profile profile, enum env env)
{
    struct testcase tc[2];
    const unsigned char *bytes[2];
    size_t n[2];
    struct arena a;
    struct err e = {.text = ""};
    arena_init(&a, TARGET_ARENA_BYTES);
    for (int i = 0; i < 2; i++) {
        struct tape copy = *t;
        copy.next = 0;
        target_require(gen_case(profile, env, &copy, &a, &tc[i], NULL, &e) == RES_OK);
        bytes[i] = testcase_encode(&tc[i], &a, &n[i]);
        target_require(bytes[i] != NULL);
    }
    target_require(n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct tape t;
    const char *profile = NULL;
    arena_init(&a, TARGET_ARENA_BYTES);
    if (target_parse_tape(&t, data, n_bytes, &profile, &a)) {
        int const row = profile_find(profile);
        for (int env = 0; row >= 0 && env < ENV_N; env++) {
            decode_twice(&t, (enum profile)row, (enum env)env);
        }
    }
    arena_free(&a);
    return 0;
}
