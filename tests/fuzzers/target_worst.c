/* tests/fuzzers/target_worst.c -- fuzz target: a list of hard inputs. */
#include <string.h>

#include "fuzz/audit/worst.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20
};

/* The bytes are a list of hard inputs. Each that was read must be an input of its function and type, with a
 * claim that is complete and a source. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct err e = {.text = ""};
    struct worst_list list = {.n = 0};
    arena_init(&a, TARGET_ARENA_BYTES);
    const char *const text = arena_copy(&a, data, n_bytes);
    if (text && target_is_ok(worst_parse(&list, "input", text, n_bytes, &a, &e), &e)) {
        target_require(list.n <= WORST_MAX_INPUTS);
        for (uint32_t i = 0; i < list.n; i++) {
            const struct worst_input *const x = &list.inputs[i];
            target_require((unsigned)x->func < FUNC_N && (unsigned)x->fmt < FMT_N);
            target_require((x->arg[0] & ~format_mask(&float_formats[x->fmt])) == 0);
            target_require((x->k > 0) == (x->claim != WORST_EDGE));
            /* A source that begins with a zero byte looks empty. */
            target_require(x->source[0] != '\0' || memchr(text, '\0', n_bytes) != NULL);
        }
    }
    arena_free(&a);
    return 0;
}
