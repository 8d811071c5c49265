/* tests/gen/test_flow.c -- control flow of programs, by their words: that each form occurs, and that what it is told by
 * hints is legal for the version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/spv.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"

enum {
    N_CASES = 1500, /* of both environments, by turns */
    AT_LEAST = 3,   /* of these have each form */
    MAX_IDS = 1 << 14,
    ARENA_BYTES = 64 << 20
};

enum form {
    SWITCH,
    SWITCH_OF_64,
    SWITCH_OF_16,
    FALL,            /* an arm that goes on in another */
    TWO_LITERALS,    /* of one arm */
    NO_DEFAULT,      /* the default way leads behind the switch */
    TEST_BEHIND,     /* a loop whose continue target has its test */
    NO_TEST_AT_HEAD, /* a way out of the middle of a loop */
    CONTINUE,        /* two blocks that lead to a continue target */
    LONG_LOOP,       /* a bound of more than 100 turns */
    RETRY,           /* a compare-exchange in a loop */
    POINTER,         /* a parameter that points to a variable of the function */
    FLATTEN,
    UNROLL,
    DONT_UNROLL,
    MOST_TURNS,
    INFINITE
};
enum {
    FORM_N = 17
};
static const char *const form_names[FORM_N] = {
    "switch",     "switch of 64 bits", "switch of 16 bits", "fall",     "two literals",
    "no default", "test behind",       "way out",           "continue", "long loop",
    "retry",      "pointer",           "flatten",           "unroll",   "no unrolling",
    "most turns", "no dependence"};

/* What is known of the ids of a module so far. */
struct ids {
    uint32_t type[MAX_IDS];  /* of a value */
    uint32_t width[MAX_IDS]; /* of an integer type */
    uint32_t value[MAX_IDS]; /* of a constant of 32 bits */
    unsigned char is_case[MAX_IDS], is_next[MAX_IDS], is_end[MAX_IDS], is_function_pointer[MAX_IDS];
    uint32_t n_to_next[MAX_IDS];
};

static struct ids *read_ids(const struct testcase *tc)
{
    struct ids *const ids = calloc(1, sizeof *ids);
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    assert_non_null(ids);
    assert_true(tc->module[3] < MAX_IDS);
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.op == SpvOpTypeInt) {
            ids->width[in.w[1]] = in.w[2];
        } else if (in.op == SpvOpTypePointer) {
            ids->is_function_pointer[in.w[1]] = in.w[2] == SpvStorageClassFunction;
        } else if (in.op == SpvOpConstant) {
            ids->value[in.w[2]] = in.w[3];
        } else if (in.op == SpvOpLoopMerge) {
            ids->is_end[in.w[1]] = 1;
            ids->is_next[in.w[2]] = 1;
        } else if (in.op == SpvOpBranch) {
            ids->n_to_next[in.w[1]]++;
        }
        if (in.n > 3 && in.op > SpvOpConstantTrue && in.op < SpvOpAtomicStore &&
            in.op != SpvOpStore) {
            ids->type[in.w[2]] = in.w[1];
        }
    }
    return ids;
}

static void see_switch(struct ids *ids, const struct spv_inst *in, uint32_t merge, bool *has)
{
    uint32_t const width = ids->width[ids->type[in->w[1]]];
    uint32_t const step = width == 64 ? 3 : 2;
    has[SWITCH] = true;
    has[SWITCH_OF_64] |= width == 64;
    has[SWITCH_OF_16] |= width == 16;
    has[NO_DEFAULT] |= in->w[2] == merge;
    for (uint32_t k = 3 + step - 1; k < in->n; k += step) {
        has[TWO_LITERALS] |= ids->is_case[in->w[k]] != 0;
        ids->is_case[in->w[k]] = 1;
    }
}

static void see_hint(const struct spv_inst *in, uint32_t mask, const struct testcase *tc, bool *has)
{
    bool const is_loop = in->op == SpvOpLoopMerge;
    has[FLATTEN] |= !is_loop && mask == SpvSelectionControlFlattenMask;
    has[UNROLL] |= is_loop && (mask & SpvLoopControlUnrollMask);
    has[DONT_UNROLL] |= is_loop && (mask & SpvLoopControlDontUnrollMask);
    has[MOST_TURNS] |= is_loop && (mask & SpvLoopControlMaxIterationsMask);
    has[INFINITE] |= is_loop && (mask & SpvLoopControlDependencyInfiniteMask);
    if (is_loop) { /* SPIR-V 1.1 and 1.4 brought these */
        assert_true(mask < SpvLoopControlDependencyInfiniteMask || tc->module[1] >= 0x10100);
        assert_true(mask < SpvLoopControlMinIterationsMask || tc->module[1] >= 0x10400);
    }
}

/* Which forms the case has. */
static void see_case(const struct testcase *tc, bool *has)
{
    struct ids *const ids = read_ids(tc);
    uint32_t at = SPV_HEADER_WORDS, label = 0, merge = 0, n_open = 0;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.op == SpvOpLabel) {
            label = in.w[1];
            n_open -= ids->is_end[label];
        } else if (in.op == SpvOpSelectionMerge || in.op == SpvOpLoopMerge) {
            see_hint(&in, in.w[in.op == SpvOpLoopMerge ? 3 : 2], tc, has);
            merge = in.w[1];
            n_open += in.op == SpvOpLoopMerge;
        } else if (in.op == SpvOpSwitch) {
            see_switch(ids, &in, merge, has);
        } else if (in.op == SpvOpBranch) {
            has[FALL] |= ids->is_case[in.w[1]] && !ids->is_end[in.w[1]];
            has[NO_TEST_AT_HEAD] |= ids->is_end[in.w[1]] != 0;
            has[CONTINUE] |= ids->is_next[in.w[1]] && ids->n_to_next[in.w[1]] > 1;
        } else if (in.op == SpvOpBranchConditional) {
            has[TEST_BEHIND] |= ids->is_next[label] != 0;
        } else if (in.op == SpvOpULessThan) {
            has[LONG_LOOP] |= n_open > 0 && ids->value[in.w[4]] > 100;
        } else if (in.op == SpvOpAtomicCompareExchange) {
            has[RETRY] |= n_open > 0;
        } else if (in.op == SpvOpFunctionParameter) {
            has[POINTER] |= ids->is_function_pointer[in.w[1]] != 0;
        }
    }
    assert_int_equal(n_open, 0);
    free(ids);
}

static void each_form_occurs(void **state)
{
    struct arena a;
    struct rng rng = rng_seed(6);
    uint32_t n[FORM_N] = {0};
    (void)state;
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < N_CASES; i++) {
        struct tape t;
        struct testcase tc;
        bool has[FORM_N] = {false};
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, NULL), RES_OK);
        assert_int_equal(gen_case(PROFILE_PROGRAMS, (enum env)(i % ENV_N), &t, &a, &tc, NULL, NULL),
                         RES_OK);
        see_case(&tc, has);
        for (int k = 0; k < FORM_N; k++) {
            n[k] += has[k];
        }
    }
    for (int k = 0; k < FORM_N; k++) {
        if (n[k] < AT_LEAST) {
            fail_msg("%s: in %u of %d programs", form_names[k], n[k], (int)N_CASES);
        }
    }
    arena_free(&a);
}

/* Other profiles, whose tapes are kept, have none of it. */
static void other_profiles_stay(void **state)
{
    static const enum profile others[] = {PROFILE_ATOMICS, PROFILE_ARITH, PROFILE_GROUPS,
                                          PROFILE_ALL, PROFILE_MAXERROR};
    struct arena a;
    struct rng rng = rng_seed(7);
    (void)state;
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < N_CASES / 5; i++) {
        struct tape t;
        struct testcase tc;
        bool has[FORM_N] = {false};
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, NULL), RES_OK);
        assert_int_equal(gen_case(others[(size_t)i % ARRAY_N(others)], (enum env)(i % ENV_N), &t,
                                  &a, &tc, NULL, NULL),
                         RES_OK);
        see_case(&tc, has);
        assert_false(has[SWITCH] || has[FLATTEN] || has[UNROLL] || has[DONT_UNROLL] ||
                     has[CONTINUE] || has[TEST_BEHIND]);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_occurs),
        cmocka_unit_test(other_profiles_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
