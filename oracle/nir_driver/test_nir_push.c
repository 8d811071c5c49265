/* oracle/nir_driver/test_nir_push.c -- which words of the push constants small modules load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "oracle/nir_driver/nir_push.h"

/* Ids of the modules. The push constants are a structure of an array of elements, which begin at byte 8. */
enum {
    ID_INT = 1,
    ID_ELEMENT,
    ID_ARRAY,
    ID_BLOCK,
    ID_BLOCK_POINTER,
    ID_PUSH,
    ID_POINTER,
    ID_ZERO, /* constants of 32 bits: 0, 3, and one that is specialized */
    ID_THREE,
    ID_SPECIAL,
    ID_VARYING, /* no constant */
    ID_FUNCTION,
    ID_CHAIN,
    ID_LOADED,
    ID_LABEL,
    ID_OTHER,
    ID_LATER,
    ID_BOUND = 64
};
struct module {
    struct arena a;
    struct spv_words w;
    struct testcase tc;
    struct nir_push push;
};

#define PUT(m, op, ...)                                                                            \
    spv_put(&(m)->w, op, (const uint32_t[]){__VA_ARGS__},                                          \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Elements of element_bits, up to the begin of the function. */
static void begin(struct module *m, uint32_t element_bits)
{
    *m = (struct module){.tc = {.env = ENV_VK}};
    arena_init(&m->a, (size_t)1 << 20);
    spv_words_init(&m->w, &m->a);
    PUT(m, SpvOpMemberDecorate, ID_BLOCK, 0, SpvDecorationOffset, 8);
    PUT(m, SpvOpDecorate, ID_ARRAY, SpvDecorationArrayStride, element_bits / 8);
    PUT(m, SpvOpDecorate, ID_SPECIAL, SpvDecorationSpecId, 7);
    PUT(m, SpvOpTypeInt, ID_INT, 32, 0);
    PUT(m, SpvOpTypeInt, ID_ELEMENT, element_bits, 0);
    PUT(m, SpvOpConstant, ID_INT, ID_ZERO, 0);
    PUT(m, SpvOpConstant, ID_INT, ID_THREE, 3);
    PUT(m, SpvOpSpecConstant, ID_INT, ID_SPECIAL, 1);
    PUT(m, SpvOpTypeArray, ID_ARRAY, ID_ELEMENT, ID_THREE);
    PUT(m, SpvOpTypeStruct, ID_BLOCK, ID_ARRAY);
    PUT(m, SpvOpTypePointer, ID_BLOCK_POINTER, SpvStorageClassPushConstant, ID_BLOCK);
    PUT(m, SpvOpTypePointer, ID_POINTER, SpvStorageClassPushConstant, ID_ELEMENT);
    PUT(m, SpvOpVariable, ID_BLOCK_POINTER, ID_PUSH, SpvStorageClassPushConstant);
    PUT(m, SpvOpFunction, ID_INT, ID_FUNCTION, 0, ID_INT);
}

/* The module has ended: what it loads. */
static bool find(struct module *m)
{
    uint32_t *const words = ARENA_NEW(&m->a, uint32_t, SPV_HEADER_WORDS + m->w.n);
    uint32_t const header[SPV_HEADER_WORDS] = {SpvMagicNumber, 0x10300, 0, ID_BOUND, 0};
    assert_true(m->w.ok);
    memcpy(words, header, sizeof header);
    memcpy(words + SPV_HEADER_WORDS, m->w.w, m->w.n * sizeof *words);
    m->tc.module = words;
    m->tc.n_words = SPV_HEADER_WORDS + m->w.n;
    bool const is_found = nir_push_find(&m->tc, &m->a, &m->push);
    return is_found;
}

/* Loads element `index`, and uses it. */
static void load(struct module *m, uint32_t index)
{
    PUT(m, SpvOpAccessChain, ID_POINTER, ID_CHAIN, ID_PUSH, ID_ZERO, index);
    PUT(m, SpvOpLoad, ID_ELEMENT, ID_LOADED, ID_CHAIN);
    PUT(m, SpvOpReturnValue, ID_LOADED);
}

static void words_at_constant_offsets_are_found(void **state)
{
    (void)state;
    static const struct {
        uint32_t element_bits, index;
        uint64_t words;
        bool has_others;
    } rows[] = {
        {32, ID_ZERO,    UINT64_C(1) << 2, false},
        {32, ID_THREE,   UINT64_C(1) << 5, false},
        {32, ID_SPECIAL, UINT64_C(1) << 3, false},
        {64, ID_THREE,   UINT64_C(3) << 8, false}, /* bytes 8 + 3 * 8 to 39 */
        {32, ID_VARYING, 0,                true },
        {16, ID_THREE,   0,                true },
        {8,  ID_THREE,   0,                true },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct module m;
        begin(&m, rows[i].element_bits);
        load(&m, rows[i].index);
        assert_true(find(&m));
        assert_int_equal(m.push.words, rows[i].words);
        assert_int_equal(m.push.has_others, rows[i].has_others);
        arena_free(&m.a);
    }
}

static void specialization_moves_an_offset(void **state)
{
    (void)state;
    struct module m;
    begin(&m, 32);
    load(&m, ID_SPECIAL);
    m.tc.n_specs = 1;
    m.tc.specs[0] = (struct spec){.id = 7, .n_bytes = 4, .bits = 6};
    assert_true(find(&m));
    assert_int_equal(m.push.words, UINT64_C(1) << 8);
    m.tc.specs[0].id = 8; /* another constant's */
    assert_true(find(&m));
    assert_int_equal(m.push.words, UINT64_C(1) << 3);
    arena_free(&m.a);
}

static void loads_that_no_one_uses_do_not_count(void **state)
{
    (void)state;
    struct module m;
    begin(&m, 32);
    PUT(&m, SpvOpAccessChain, ID_POINTER, ID_CHAIN, ID_PUSH, ID_ZERO, ID_THREE);
    PUT(&m, SpvOpLoad, ID_ELEMENT, ID_LOADED, ID_CHAIN);
    assert_true(find(&m));
    assert_int_equal(m.push.words, 0);
    assert_false(m.push.has_others);
    arena_free(&m.a);
    begin(&m, 32); /* without any load */
    assert_true(find(&m));
    assert_int_equal(m.push.words, 0);
    arena_free(&m.a);
}

/* Four words as a ballot: the first two count, unless the vector has another use. */
static void of_a_ballot_two_words_count(void **state)
{
    (void)state;
    for (unsigned has_other = 0; has_other < 2; has_other++) {
        struct module m;
        begin(&m, 32);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t const constant = ID_LATER + i, chain = constant + 4, loaded = constant + 8;
            PUT(&m, SpvOpConstant, ID_INT, constant, i);
            PUT(&m, SpvOpAccessChain, ID_POINTER, chain, ID_PUSH, ID_ZERO, constant);
            PUT(&m, SpvOpLoad, ID_ELEMENT, loaded, chain);
        }
        uint32_t const first = ID_LATER + 8, vector = ID_LATER + 12;
        PUT(&m, SpvOpCompositeConstruct, ID_INT, vector, first, first + 1, first + 2, first + 3);
        PUT(&m, SpvOpGroupNonUniformInverseBallot, ID_INT, vector + 1, ID_THREE, vector);
        if (has_other) {
            PUT(&m, SpvOpReturnValue, vector);
        }
        assert_true(find(&m));
        assert_int_equal(m.push.words, has_other ? 0x3c : 0xc);
        arena_free(&m.a);
    }
}

static void what_hands_a_pointer_on_is_refused(void **state)
{
    (void)state;
    struct module m;
    begin(&m, 32);
    load(&m, ID_THREE);
    PUT(&m, SpvOpSelect, ID_POINTER, ID_OTHER, ID_ZERO, ID_CHAIN, ID_CHAIN);
    assert_false(find(&m));
    arena_free(&m.a);
    begin(&m, 32); /* a selection of numbers is none of pointers */
    load(&m, ID_THREE);
    PUT(&m, SpvOpSelect, ID_INT, ID_OTHER, ID_ZERO, ID_LOADED, ID_LOADED);
    assert_true(find(&m));
    arena_free(&m.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_at_constant_offsets_are_found),
        cmocka_unit_test(specialization_moves_an_offset),
        cmocka_unit_test(loads_that_no_one_uses_do_not_count),
        cmocka_unit_test(of_a_ballot_two_words_count),
        cmocka_unit_test(what_hands_a_pointer_on_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
