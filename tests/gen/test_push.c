/* tests/gen/test_push.c -- arrays of push constants: "Any member of a push constant block that is declared as an array must
 * only be accessed with dynamically uniform indices" (Vulkan Specification, Push Constant Interface). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/spv.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"

enum {
    N_CASES = 1500,
    MAX_DEPTH = 64
};
#define TEST_ARENA_BYTES ((size_t)64 << 20)

/* Is every number that an id is computed of a constant, or the work-group's id: as the built-in, or as a quotient? */
static bool is_uniform(const struct spv_index *x, uint32_t id, uint32_t group_id, int depth)
{
    struct spv_inst const in = spv_index_find(x, id);
    switch (in.op) {
    case SpvOpConstant:
    case SpvOpConstantNull:
    case SpvOpSpecConstant:
        return true;
    case SpvOpLoad:
        return in.w[3] == group_id;
    case SpvOpCompositeExtract:
        return is_uniform(x, in.w[3], group_id, depth + 1);
    case SpvOpIAdd:
    case SpvOpIMul:
    case SpvOpUMod:
        return depth < MAX_DEPTH && is_uniform(x, in.w[3], group_id, depth + 1) &&
               is_uniform(x, in.w[4], group_id, depth + 1);
    case SpvOpUDiv: /* programs divide by the size of a work-group alone where the result is an index */
        return true;
    default:
        return false;
    }
}

static uint32_t find_group_id(const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        if (in.op == SpvOpDecorate && in.w[2] == SpvDecorationBuiltIn &&
            spv_get_word(&in, 3) == SpvBuiltInWorkgroupId) {
            return in.w[1];
        }
    }
    return 0;
}

/* How many accesses to push constants have an index that is no constant; each is uniform. */
static unsigned check_case(const struct testcase *tc, struct arena *a)
{
    uint32_t offset = SPV_HEADER_WORDS;
    unsigned n = 0;
    struct spv_inst in;
    struct spv_index x;
    uint32_t const group_id = find_group_id(tc);
    assert_true(spv_index_make(&x, tc->module, tc->n_words, a));
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        struct spv_inst const base =
            in.op == SpvOpAccessChain ? spv_index_find(&x, in.w[3]) : (struct spv_inst){.n = 0};
        bool const is_push =
            base.op == SpvOpVariable && spv_get_word(&base, 3) == SpvStorageClassPushConstant;
        for (uint32_t i = 4; is_push && i < in.n; i++) {
            assert_true(is_uniform(&x, in.w[i], group_id, 0));
            n += spv_index_find(&x, in.w[i]).op != SpvOpConstant;
        }
    }
    return n;
}

static void indices_of_push_constants_are_uniform(void **state)
{
    struct arena a;
    unsigned n = 0;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (uint64_t i = 0; i < N_CASES; i++) {
        struct rng rng = rng_seed(i);
        struct tape t;
        struct testcase tc;
        struct err e;
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, NULL), RES_OK);
        enum res const r =
            gen_case(i % 2 ? PROFILE_ARITH : PROFILE_PROGRAMS, ENV_VK, &t, &a, &tc, NULL, &e);
        if (r == RES_OK) {
            n += check_case(&tc, &a);
        }
    }
    assert_true(n > 50); /* indices that are no constants are drawn */
    arena_free(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_of_push_constants_are_uniform)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
