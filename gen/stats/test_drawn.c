/* gen/stats/test_drawn.c -- which combinations a module holds, each once a case, and which there may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/spv.h"
#include "gen/stats/drawn.h"

enum {
    ARENA_BYTES = 1 << 20,
    F32 = 1,    /* bits of enum op_types */
    FADD = 3,   /* the fourth of six atomics */
    BUFFER = 0, /* the first of the places */
    PHYSICAL = 5,
    SCAN = 1
};
/* An addition of one in a buffer, of scope Device and order Acquire and Release; and an inclusive scan of what it gives
 * over the sub-group by AMD's instruction. */
static const uint32_t words[] = {SpvMagicNumber,
                                 0x10300,
                                 0,
                                 16,
                                 0,
                                 3U << 16 | SpvOpTypeFloat,
                                 1,
                                 32,
                                 4U << 16 | SpvOpTypeInt,
                                 2,
                                 32,
                                 0,
                                 4U << 16 | SpvOpTypePointer,
                                 3,
                                 SpvStorageClassStorageBuffer,
                                 1,
                                 4U << 16 | SpvOpConstant,
                                 2,
                                 4,
                                 SpvScopeDevice,
                                 4U << 16 | SpvOpConstant,
                                 2,
                                 5,
                                 SpvMemorySemanticsAcquireReleaseMask,
                                 4U << 16 | SpvOpConstant,
                                 2,
                                 6,
                                 SpvScopeSubgroup,
                                 4U << 16 | SpvOpConstant,
                                 1,
                                 7,
                                 0x3f800000,
                                 3U << 16 | SpvOpUndef,
                                 3,
                                 8,
                                 7U << 16 | SpvOpAtomicFAddEXT,
                                 1,
                                 9,
                                 8,
                                 4,
                                 5,
                                 7,
                                 6U << 16 | SpvOpGroupFAddNonUniformAMD,
                                 1,
                                 10,
                                 6,
                                 SpvGroupOperationInclusiveScan,
                                 9};
/* The extension's declaration, which goes before. */
static const uint32_t extension[] = {7U << 16 | SpvOpExtension,
                                     0x5f565053,
                                     0x5f444d41,
                                     0x64616873,
                                     0x625f7265,
                                     0x6f6c6c61,
                                     0x00000074};

static uint32_t at_place(uint32_t place)
{
    return DRAWN_BY_MEMORY + (FADD * DRAWN_FORMS + F32) * DRAWN_MEMORIES + place;
}

/* Of AMD's sum of f32, the second of the second eight. */
static uint32_t at_operation(uint32_t operation)
{
    return DRAWN_BY_OPERATION + ((8 + 1) * DRAWN_NUMBERS + F32) * DRAWN_OPERATIONS + operation;
}

static void combinations_are_counted_once_a_case(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    uint32_t declared[ARRAY_N(words) + ARRAY_N(extension)];
    uint32_t const head = SPV_HEADER_WORDS;
    arena_init(&a, ARENA_BYTES);
    memcpy(declared, words, head * sizeof *words);
    memcpy(declared + head, extension, sizeof extension);
    memcpy(declared + head + ARRAY_N(extension), words + head, sizeof words - head * sizeof *words);
    struct testcase tc = {.env = ENV_VK, .module = words, .n_words = ARRAY_N(words)};
    struct drawn_stats *const s = ARENA_NEW(&a, struct drawn_stats, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(drawn_add(s, &tc, &a, &e), RES_OK);
    }
    assert_int_equal(s->n_cases[ENV_VK], 2);
    assert_int_equal(s->with[ENV_VK][at_place(BUFFER)], 2);
    assert_int_equal(s->with[ENV_VK][at_place(PHYSICAL)], 0);
    assert_int_equal(
        s->with[ENV_VK][DRAWN_BY_SCOPE + FADD * (uint32_t)DRAWN_SCOPES + SpvScopeDevice], 2);
    assert_int_equal(s->with[ENV_VK][DRAWN_BY_ORDER + FADD * (uint32_t)DRAWN_ORDERS + 3], 2);
    assert_int_equal(s->with[ENV_VK][at_operation(SCAN)], 0); /* not without the extension */
    tc.module = declared;
    tc.n_words = ARRAY_N(declared);
    assert_int_equal(drawn_add(s, &tc, &a, &e), RES_OK);
    assert_int_equal(s->with[ENV_VK][at_operation(SCAN)], 1);
    assert_int_equal(s->with[ENV_VK][at_operation(0)], 0);
    assert_int_equal(s->with[ENV_VK][at_place(BUFFER)], 3);
    tc.class = CLASS_ILLEGAL; /* what such a module holds is of no use */
    assert_int_equal(drawn_add(s, &tc, &a, &e), RES_OK);
    assert_int_equal(s->with[ENV_VK][at_place(BUFFER)], 3);
    uint32_t n_possible, n_seldom;
    drawn_count(s, ENV_VK, &n_possible, &n_seldom);
    assert_true(n_possible > 400 && n_seldom == n_possible - 4);
    arena_free(&a);
}

/* By the texts: vectors are Vulkan's and are neither loaded nor stored, images hold f32 and vectors, a generic pointer is
 * OpenCL's, a load does not release, max errors are OpenCL's. */
static void what_no_text_has_is_not_wanted(void **state)
{
    (void)state;
    enum {
        LOAD = 0,
        F16X4 = 4,
        GENERIC = 2,
        IMAGE = 3,
        RELEASE = 2
    };
    uint32_t const load_vector = (LOAD * DRAWN_FORMS + F16X4) * DRAWN_MEMORIES;
    uint32_t const add_vector = (FADD * DRAWN_FORMS + F16X4) * DRAWN_MEMORIES;
    uint32_t const add_half = FADD * DRAWN_FORMS * (uint32_t)DRAWN_MEMORIES;
    assert_false(drawn_is_possible(ENV_VK, load_vector + BUFFER));
    assert_true(drawn_is_possible(ENV_VK, add_vector + BUFFER));
    assert_true(drawn_is_possible(ENV_VK, add_vector + IMAGE));
    assert_false(drawn_is_possible(ENV_CL, add_vector + BUFFER));
    assert_false(drawn_is_possible(ENV_VK, add_half + IMAGE));
    assert_true(drawn_is_possible(ENV_VK, at_place(IMAGE)));
    assert_true(drawn_is_possible(ENV_CL, at_place(GENERIC)));
    assert_false(drawn_is_possible(ENV_VK, at_place(GENERIC)));
    assert_false(drawn_is_possible(ENV_CL, DRAWN_BY_ORDER + RELEASE));
    assert_true(drawn_is_possible(ENV_CL, DRAWN_BY_ORDER + FADD * DRAWN_ORDERS + RELEASE));
    assert_true(drawn_is_possible(ENV_CL, DRAWN_BY_ERROR + OP_core_FAdd * DRAWN_FLOATS + F32));
    assert_false(drawn_is_possible(ENV_VK, DRAWN_BY_ERROR + OP_core_FAdd * DRAWN_FLOATS + F32));
    assert_false(drawn_is_possible(ENV_CL, DRAWN_BY_ERROR + OP_core_IAdd * DRAWN_FLOATS + F32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combinations_are_counted_once_a_case),
        cmocka_unit_test(what_no_text_has_is_not_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
