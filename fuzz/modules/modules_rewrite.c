/* fuzz/modules/modules_rewrite.c -- another case out of a case: its module with one or two things changed. */
#include "fuzz/modules/modules_rewrite.h"

#include "base/spv.h"
#include "fuzz/variant/variant.h"
#include "oracle/judgement/judgement.h"

enum {
    MAX_CHANGES = 2,
    MAX_TRIES = 24 /* of one change: most apply to few modules */
};

/* An instruction of a function that has a result, by its word offset; 0: there is none. */
static uint32_t draw_instruction(const struct testcase *tc, struct rng *rng)
{
    uint32_t n = 0, found = 0;
    uint32_t at = SPV_HEADER_WORDS;
    bool is_within = false;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        is_within |= in.op == SpvOpLabel;
        is_within &= in.op != SpvOpFunctionEnd;
        if (is_within && in.op != SpvOpLabel && in.n >= 4 && rng_below(rng, ++n) == 0) {
            found = in.offset;
        }
    }
    return found;
}

/* One change, or "". */
static const char *change_once(struct testcase *tc, struct rng *rng, struct arena *a)
{
    uint32_t const n = variant_count();
    struct finding *const where = ARENA_NEW(a, struct finding, 1);
    for (int i = 0; where && i < MAX_TRIES; i++) {
        struct arena_mark const mark = arena_get_mark(a);
        struct variant v;
        where->offset = draw_instruction(tc, rng);
        if (variant_make(tc, where, (uint32_t)rng_below(rng, n), a, &v) == 1) {
            *tc = v.tc;
            return v.text;
        }
        arena_release(a, mark);
    }
    return "";
}

const char *modules_rewrite(struct testcase *tc, uint64_t seed, struct arena *a)
{
    struct rng rng = rng_seed(seed);
    uint64_t const n_changes = 1 + rng_below(&rng, MAX_CHANGES);
    const char *text = "";
    for (uint64_t i = 0; i < n_changes; i++) {
        const char *const one = change_once(tc, &rng, a);
        text = one[0] ? arena_printf(a, "%s%s%s", text, text[0] ? "; " : "", one) : text;
    }
    return text;
}
