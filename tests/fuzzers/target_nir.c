/* tests/fuzzers/target_nir.c -- fuzz target: a program in NIR as text, as each driver has it, and run on two buffers, and on an
 * image, a buffer that is reached by its address, and texels in a buffer. */
#include <string.h>

#include "oracle/nir/nir.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 128 << 20,
    TARGET_WORDS = 64,
    TARGET_WIDTH = 8, /* of an image */
    TARGET_STEPS = 20000
};
/* Any text has an answer, the same one twice; only one that came to its end has outputs. */
static void run_as(enum nir_driver driver, const enum buf_kind *kinds, const char *text,
                   size_t n_bytes)
{
    unsigned char words[4 * TARGET_WORDS] = {1, 2, 3, 4};
    struct testcase tc = {
        .env = ENV_VK,
        .local = {32, 1, 1},
        .global = {32, 1, 1},
        .n_dispatches = 1,
        .entry = "main",
        .n_bufs = 2
    };
    struct nir_request const q = {.text = text,
                                  .n_bytes = n_bytes,
                                  .driver = driver,
                                  .subgroup_size = 32,
                                  .max_steps = TARGET_STEPS};
    struct nir_answer answers[2];
    struct observation ob[2];
    struct arena a[2];
    for (int i = 0; i < 2; i++) {
        bool const is_image = buf_is_image(kinds[i]);
        tc.bufs[i] = (struct buf){.kind = kinds[i],
                                  .width = is_image ? TARGET_WIDTH : 0,
                                  .height = is_image ? TARGET_WIDTH : 0,
                                  .n_bytes = sizeof words,
                                  .data = words};
    }
    for (int i = 0; i < 2; i++) {
        arena_init(&a[i], TARGET_ARENA_BYTES);
        bool const is_ended = nir_run(&q, &tc, &a[i], &ob[i], &answers[i]);
        target_require(is_ended == (answers[i].end == NIR_ENDED));
        target_require(is_ended == (answers[i].text[0] == 0));
        target_require(is_ended == (ob[i].status == RUN_DONE));
    }
    target_require(strcmp(answers[0].text, answers[1].text) == 0);
    for (uint32_t k = 0; k < ob[0].n_bufs; k++) {
        target_require(memcmp(ob[0].out[k], ob[1].out[k], sizeof words) == 0);
    }
    arena_free(&a[0]);
    arena_free(&a[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static const enum buf_kind kinds[][2] = {
        {BUF_STORAGE,       BUF_STORAGE    },
        {BUF_IMAGE2D_R32UI, BUF_ADDRESS    },
        {BUF_STORAGE,       BUF_TEXEL_R32UI},
    };
    for (int driver = 0; driver < NIR_DRIVER_N; driver++) {
        for (size_t i = 0; i < ARRAY_N(kinds); i++) {
            run_as((enum nir_driver)driver, kinds[i], (const char *)data, n_bytes);
        }
    }
    return 0;
}
