/* tests/fuzzers/target_tape_file.h -- tape files of any generator version, so that kept inputs stay useful. */
#pragma once

#include "gen/case/gen.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_VERSION_AT = 8 /* bytes into the file */
};

/* The tape of a file, read as it is and then as one of this generator. Returns whether that is one. */
static inline int target_parse_tape(struct tape *t, const uint8_t *p, size_t n,
                                    const char **profile, struct arena *a)
{
    struct err e = {.text = ""};
    unsigned char *const file = arena_copy(a, p, n);
    target_require(file != NULL);
    (void)target_is_ok(tape_parse(t, "input", p, n, profile, a, &e), &e);
    if (n >= TARGET_VERSION_AT + 4) {
        store_le(file + TARGET_VERSION_AT, GEN_VERSION, 4);
    }
    return target_is_ok(tape_parse(t, "input", file, n, profile, a, &e), &e);
}
