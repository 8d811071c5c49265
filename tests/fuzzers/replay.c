/* tests/fuzzers/replay.c -- a fuzz target with a plain main: runs it on each file named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzzers/target.h"

/* A fuzzer's inputs are small; a larger file is no input of one. */
enum {
    REPLAY_MAX_BYTES = 16 << 20
};

/* Run the target on what the file holds; 0 where it cannot be read, or the target says so. */
static int replay_file(const char *path)
{
    FILE *const f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 0;
    }
    uint8_t *const data = malloc(REPLAY_MAX_BYTES);
    size_t const n = data ? fread(data, 1, REPLAY_MAX_BYTES, f) : 0;
    /* As long as the input, so that a sanitizer sees a read past the end. */
    uint8_t *const exact = data ? malloc(n > 0 ? n : 1) : NULL;
    if (exact) {
        memcpy(exact, data, n);
    }
    int const ok = exact && !ferror(f) && LLVMFuzzerTestOneInput(exact, n) == 0;
    free(exact);
    free(data);
    (void)fclose(f);
    return ok;
}

int main(int argc, char **argv)
{
    int n_bad = 0;
    for (int i = 1; i < argc; i++) {
        if (!replay_file(argv[i])) {
            (void)fprintf(stderr, "%s: failed on %s\n", argv[0], argv[i]);
            n_bad++;
        }
    }
    if (argc < 2) {
        (void)fprintf(stderr, "usage: %s FILE...\n", argv[0]);
        return 2;
    }
    return n_bad > 0;
}
