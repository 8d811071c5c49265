/* tests/fuzzers/target_shrink.c -- fuzz target: making a module smaller that no generator of ours made. */
#include <string.h>

#include "base/spv.h"
#include "fuzz/reduce/shrink.h"
#include "fuzz/reduce/shrink_sweep.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 256 << 20,
    TARGET_MAX_WORDS = 1 << 13,
    TARGET_STEPS = 24, /* of each pass */
    BUF_N = 4,
    BUF_BYTES = 64
};

/* Walk all instructions of a module that a pass made: it ends where it says. */
static void require_words(const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    target_require(tc->module && tc->n_words >= SPV_HEADER_WORDS);
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        target_require(i.n > 0);
    }
    target_require(offset == tc->n_words);
}

/* A swept module stays as it is when swept again. */
static void sweep_twice(const uint32_t *words, uint32_t n_words, struct arena *a)
{
    uint32_t n_swept = 0;
    uint32_t n_again = 0;
    const uint32_t *const swept = shrink_sweep(words, n_words, a, &n_swept);
    if (swept) {
        const uint32_t *const again = shrink_sweep(swept, n_swept, a, &n_again);
        target_require(again && n_again == n_swept && memcmp(again, swept, n_swept * 4UL) == 0);
    }
}

/* The first candidates of each pass; those that change the module have one that can be walked. */
static void make_candidates(const struct testcase *tc, struct arena *scratch)
{
    for (int pass = 0; pass < SHRINK_PASS_N; pass++) {
        struct testcase out;
        int made = 0; /* -1: there are no more */
        for (uint32_t step = 0; made >= 0 && step < TARGET_STEPS; step++) {
            arena_reset(scratch);
            made = shrink_try(shrink_passes[pass], tc, step, scratch, &out);
            if (made > 0 && out.module != tc->module) {
                require_words(&out);
            }
        }
    }
}

/* The bytes are a case for the reducer's passes: the first byte chooses the environment and whether a
 * sub-group size is required, the second the size of the dispatch; the rest is the module, any words. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    size_t const n_words = n_bytes < 2 ? 0 : (n_bytes - 2) / 4;
    if (n_words == 0 || n_words > TARGET_MAX_WORDS) {
        return 0;
    }
    struct arena a;
    struct arena scratch;
    arena_init(&a, TARGET_ARENA_BYTES);
    arena_init(&scratch, TARGET_ARENA_BYTES);
    uint32_t *const words = ARENA_NEW(&a, uint32_t, n_words);
    unsigned char *const content = arena_take(&a, BUF_BYTES);
    target_require(words && content);
    memcpy(words, data + 2, n_words * 4);
    uint32_t const n_items = 1 + data[1] % 4U; /* of a work-group */
    uint32_t const n_groups = 1 + data[1] / 4 % 4U;
    struct testcase tc = {
        .env = (enum env)(data[0] % ENV_N),
        .profile = "atomics",
        .module = words,
        .n_words = (uint32_t)n_words,
        .entry = "main_kernel",
        .build_options = "-a -b",
        .local = {n_items,            1, 1},
        .global = {n_items * n_groups, 1, 1},
        .subgroup_size = data[0] & 0x40 ? 16 : 0,
        .n_bufs = BUF_N
    };
    for (int i = 0; i < BUF_N; i++) {
        tc.bufs[i] = (struct buf){.n_bytes = BUF_BYTES, .data = content};
    }
    sweep_twice(words, (uint32_t)n_words, &a);
    make_candidates(&tc, &scratch);
    arena_free(&scratch);
    arena_free(&a);
    return 0;
}
