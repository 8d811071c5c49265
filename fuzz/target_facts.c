/* fuzz/target_facts.c -- fuzz target: what a driver says of itself. */
#include "base/caps.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    char value[16];
    struct arena a;
    arena_init(&a, n_bytes + 1024);
    const char *const facts = arena_copy(&a, data, n_bytes);
    for (int i = 0; facts && i < NEED_N; i++) {
        struct needs n = {{0}};
        needs_add(&n, (enum need_id)i);
        int const meets = facts_meet(facts, (enum need_id)i);
        target_require(facts_first_unmet(facts, &n) == (meets ? -1 : i));
    }
    if (facts) {
        int const present = facts_get(facts, "device", value, sizeof value);
        target_require(present || value[0] == '\0');
        (void)facts_number(facts, "cl.il_max");
        (void)facts_has_word(facts, "cl.ext", "cl_khr_fp16");
    }
    arena_free(&a);
    return 0;
}
