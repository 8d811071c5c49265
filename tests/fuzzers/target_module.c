/* tests/fuzzers/target_module.c -- fuzz target: judging a module that no generator of ours made. */
#include <string.h>

#include "oracle/judge/judge.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 256 << 20,
    TARGET_MAX_WORDS = 1 << 14,
    BUF_N = 4,
    BUF_BYTES = 256
};

/* The first byte chooses the environment, the second the size of the dispatch; the rest is the module, any
 * words. It is judged as if a run left its buffers as they were. The same input must give the same verdict
 * twice. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    size_t const n_words = n_bytes < 2 ? 0 : (n_bytes - 2) / 4;
    if (n_words == 0 || n_words > TARGET_MAX_WORDS) {
        return 0;
    }
    struct arena a;
    struct err e = {.text = ""};
    arena_init(&a, TARGET_ARENA_BYTES);
    uint32_t *const words = ARENA_NEW(&a, uint32_t, n_words);
    struct judgement *const first = ARENA_NEW(&a, struct judgement, 2);
    unsigned char *const content = arena_take(&a, BUF_BYTES);
    target_require(words && first && content);
    memcpy(words, data + 2, n_words * 4);
    uint32_t const n_items = 1 + data[1] % 4U; /* of a work-group */
    uint32_t const n_groups = 1 + data[1] / 4 % 4U;
    struct testcase tc = {
        .env = (enum env)(data[0] % ENV_N),
        .profile = "atomics",
        .module = words,
        .n_words = (uint32_t)n_words,
        .entry = "main_kernel",
        .build_options = "",
        .local = {n_items,            1, 1},
        .global = {n_items * n_groups, 1, 1},
        .n_bufs = BUF_N
    };
    struct observation ob = {.status = RUN_DONE,
                             .phase = PHASE_DONE,
                             .log = "",
                             .signature = "",
                             .facts = "",
                             .n_bufs = BUF_N};
    for (int i = 0; i < BUF_N; i++) {
        tc.bufs[i] = (struct buf){.n_bytes = BUF_BYTES, .data = content};
        ob.out[i] = content;
    }
    enum res const r = judge_run(&tc, &ob, &a, &first[0], &e);
    if (target_is_ok(r, &e)) {
        target_require(judge_run(&tc, &ob, &a, &first[1], &e) == RES_OK);
        target_require(first[0].kind == first[1].kind && first[0].n_found == first[1].n_found);
        target_require(first[0].n_findings <= JUDGE_MAX_FINDINGS);
    }
    arena_free(&a);
    return 0;
}
