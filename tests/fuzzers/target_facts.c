/* tests/fuzzers/target_facts.c -- fuzz target: what a driver says of itself, and what is made of it. */
#include <string.h>

#include "base/caps.h"
#include "fuzz/trial/contradict.h"
#include "reports/model/support.h"
#include "tests/fuzzers/target.h"

/* Every rule can be asked, and a device contradicts itself only where the rule's condition holds. */
static void ask_rules(const char *facts)
{
    for (int i = 0; i < CONTRADICT_N; i++) {
        target_require(!contradict_find(facts, &contradict_rows[i]) ||
                       contradict_holds(facts, contradict_rows[i].condition));
    }
    for (uint32_t i = 0; i < SUPPORT_ROW_N; i++) {
        struct support_row const row = support_get_row(i);
        enum support const s = support_of(facts, row.op, row.type, row.storage);
        target_require((unsigned)s <= SUPPORT_YES);
        target_require(s == SUPPORT_UNKNOWN || strstr(facts, "api=") != NULL);
    }
}

/* The bytes are the facts that a device says of itself. Whatever they are, the questions that can be asked of
 * them must give answers that fit together. */
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
        target_require(facts_get_fit(facts, &n) != FIT_LISTED || meets);
    }
    if (facts) {
        int const present = facts_get(facts, "device", value, sizeof value);
        target_require(present || value[0] == '\0');
        (void)facts_number(facts, "cl.il_max");
        (void)facts_has_word(facts, "cl.ext", "cl_khr_fp16");
        ask_rules(facts);
    }
    arena_free(&a);
    return 0;
}
