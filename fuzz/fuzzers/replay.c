/* fuzz/fuzzers/replay.c -- a fuzz target with a plain main: runs it on each file named. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzzers/target.h"

/* A fuzzer's inputs are small; a larger file is no input of one. */
enum {
    REPLAY_MAX_BYTES = 16 << 20
};

static int replay_file(const char *path)
{
    int ok = 0;
    uint8_t *data = NULL;
    FILE *const f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 0;
    }
    data = malloc(REPLAY_MAX_BYTES);
    if (data) {
        size_t const n = fread(data, 1, REPLAY_MAX_BYTES, f);
        uint8_t *const exact =
            malloc(n + !n); /* so that a read past the end is seen by a sanitizer */
        for (size_t i = 0; exact && i < n; i++) {
            exact[i] = data[i];
        }
        ok = exact && !ferror(f) && LLVMFuzzerTestOneInput(exact, n) == 0;
        free(exact);
    }
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
