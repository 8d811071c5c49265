/* base/test_spv.c -- SPIR-V words in and out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"

/* Instructions that were put, and appended behind a header, are read as the same. */
static void instructions_go_round(void **state)
{
    (void)state;
    struct arena a;
    struct spv_words s;
    struct spv_words all;
    arena_init(&a, 4 << 20);
    spv_words_init(&s, &a);
    spv_words_init(&all, &a);
    uint32_t const header[SPV_HEADER_WORDS] = {SpvMagicNumber, 0x10000, 0, 9, 0};
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t const operands[] = {i, i + 1, i + 2};
        spv_put(&s, SpvOpNop + i % 3, operands, i % 4);
    }
    assert_true(s.ok);
    /* The header is no instruction: put as words of another list. */
    struct spv_words const head = {
        .a = &a, .n = SPV_HEADER_WORDS, .ok = 1, .w = arena_copy(&a, header, sizeof header)};
    spv_append(&all, &head);
    spv_append(&all, &s);
    assert_true(all.ok);
    assert_int_equal(all.n, SPV_HEADER_WORDS + s.n);
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t i = 0;
    struct spv_inst in;
    for (; spv_next(all.w, all.n, &offset, &in); i++) {
        assert_int_equal(in.op, SpvOpNop + i % 3);
        assert_int_equal(in.n, 1 + i % 4);
        assert_int_equal(in.offset + in.n, offset);
        for (uint32_t k = 1; k < in.n; k++) {
            assert_int_equal(in.w[k], i + k - 1);
        }
    }
    assert_int_equal(i, 5000);
    assert_int_equal(offset, all.n);
    arena_free(&a);
}

/* The magic number, and after it all of a header. */
static void modules_are_told(void **state)
{
    (void)state;
    uint32_t words[SPV_HEADER_WORDS + 1] = {0x07230203, 0x10000, 0, 9, 0};
    assert_false(spv_is_module(NULL, 0));
    for (uint32_t n = 0; n <= SPV_HEADER_WORDS + 1; n++) {
        assert_int_equal(spv_is_module(words, n), n >= 5);
    }
    words[0] = 0x03022307; /* of the other byte order */
    assert_false(spv_is_module(words, SPV_HEADER_WORDS));
}

/* By hand: %1 = OpTypeInt 32 0, %3 = OpConstant %1 7, and at the end an OpTypeFloat that lacks its width. */
static void ids_are_found(void **state)
{
    (void)state;
    static const uint32_t words[] = {SpvMagicNumber, 0x10000, 0,  5, 0,
                                     4 << 16 | 21,   1,       32, 0, /* at 5 */
                                     4 << 16 | 43,   1,       3,  7, /* at 9 */
                                     2 << 16 | 22,   4};             /* at 13 */
    struct arena a;
    struct spv_index x;
    arena_init(&a, 64 << 20);
    assert_true(spv_index_make(&x, words, ARRAY_N(words), &a));
    struct spv_inst const type = spv_index_find(&x, 1), constant = spv_index_find(&x, 3);
    assert_int_equal(type.op, SpvOpTypeInt);
    assert_int_equal(spv_get_word(&type, 2), 32);
    assert_int_equal(constant.offset, 9);
    assert_int_equal(spv_get_word(&constant, 3), 7);
    assert_int_equal(spv_get_word(&constant, 4), 0); /* behind its end */
    struct spv_inst const cut = spv_index_find(&x, 4);
    assert_int_equal(cut.op, SpvOpTypeFloat);
    assert_int_equal(spv_get_word(&cut, 2), 0);
    static const uint32_t none[] = {0, 2, 5, UINT32_MAX};
    for (size_t i = 0; i < ARRAY_N(none); i++) {
        assert_int_equal(spv_index_find(&x, none[i]).n, 0);
    }
    assert_false(spv_index_make(&x, words, 4, &a)); /* no header */
    assert_false(spv_index_make(&x, NULL, 0, &a));
    uint32_t many[ARRAY_N(words)];
    memcpy(many, words, sizeof words);
    many[3] = SPV_MAX_IDS;
    assert_true(spv_index_make(&x, many, ARRAY_N(many), &a));
    assert_int_equal(spv_index_find(&x, 3).op, SpvOpConstant);
    many[3] = SPV_MAX_IDS + 1;
    assert_true(spv_index_make(&x, many, ARRAY_N(many), &a));
    assert_int_equal(spv_index_find(&x, 3).op, SpvOpNop);
    arena_free(&a);
}

/* Lengths 0 to 9: padded with zero bytes, at least one; worked by hand for "main". */
static void strings_are_padded(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 20);
    for (uint32_t len = 0; len < 10; len++) {
        struct spv_words s;
        char text[16] = {0};
        uint32_t const before[] = {7, 8};
        uint32_t const after[] = {9};
        memset(text, 'x', len);
        spv_words_init(&s, &a);
        spv_put_string(&s, SpvOpEntryPoint, before, 2, text, after, 1);
        assert_true(s.ok);
        assert_int_equal(s.n, 1 + 2 + (len + 4) / 4 + 1);
        assert_int_equal(s.w[0], s.n << 16 | SpvOpEntryPoint);
        assert_int_equal(s.w[2], 8);
        assert_int_equal(s.w[s.n - 1], 9);
        assert_int_equal(s.w[s.n - 2] >> 24, 0); /* the terminating byte */
    }
    struct spv_words s;
    spv_words_init(&s, &a);
    spv_put_string(&s, SpvOpExtension, NULL, 0, "main", NULL, 0);
    uint32_t const want[] = {3U << 16 | 10, 0x6e69616d, 0};
    assert_int_equal(s.n, 3);
    assert_memory_equal(s.w, want, sizeof want);
    arena_free(&a);
}

static void broken_words_end_the_walk(void **state)
{
    (void)state;
    struct spv_inst in;
    uint32_t const zero_count[] = {0, 0, 0, 0, 0, 1U << 16, 5};
    uint32_t const too_long[] = {0, 0, 0, 0, 0, 1U << 16, 3U << 16 | 1, 0};
    uint32_t offset = SPV_HEADER_WORDS;
    assert_true(spv_next(zero_count, 7, &offset, &in));
    assert_false(spv_next(zero_count, 7, &offset, &in));
    assert_int_equal(offset, 6);
    offset = SPV_HEADER_WORDS;
    assert_true(spv_next(too_long, 8, &offset, &in));
    assert_false(spv_next(too_long, 8, &offset, &in));
    assert_int_equal(offset, 6);
    offset = SPV_HEADER_WORDS;
    assert_false(spv_next(too_long, 3, &offset, &in)); /* shorter than a header */
}

/* An instruction with more words than its count can say, and a full arena, turn ok to 0, and so does
 * appending such a list. */
static void limits_are_told(void **state)
{
    (void)state;
    struct arena a;
    struct spv_words s;
    struct spv_words other;
    static const uint32_t many[70000];
    arena_init(&a, 1 << 20);
    spv_words_init(&s, &a);
    spv_put(&s, SpvOpNop, many, 0xffff);
    assert_false(s.ok); /* the word count has 16 bits */
    spv_words_init(&other, &a);
    spv_append(&other, &s);
    assert_false(other.ok); /* a failure is inherited */
    spv_words_init(&s, &a);
    spv_put(&s, SpvOpNop, many, 0xfffe);
    assert_true(s.ok);
    for (int i = 0; i < 10; i++) {
        spv_put(&s, SpvOpNop, many, 0xfffe);
    }
    assert_false(s.ok); /* the arena is full */
    arena_free(&a);
}

/* Decorations of ids and of members, with a literal and without; behind the first function there is none. */
static void decorations_are_found(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        SpvMagicNumber,
        0x10000,
        0,
        9,
        0,
        4 << 16 | SpvOpDecorate,
        3,
        SpvDecorationBinding,
        7,
        3 << 16 | SpvOpDecorate,
        3,
        SpvDecorationBlock,
        5 << 16 | SpvOpMemberDecorate,
        3,
        1,
        SpvDecorationOffset,
        16,
        1 << 16 | SpvOpFunction,
        4 << 16 | SpvOpDecorate,
        4,
        SpvDecorationBinding,
        8,
    };
    uint32_t const n = ARRAY_N(words);
    uint32_t literal = 99;
    assert_false(spv_find_decoration(words, n, 4, SpvDecorationBinding, &literal));
    assert_false(spv_find_member_decoration(words, n, 3, 0, SpvDecorationOffset, &literal));
    assert_int_equal(literal, 99);
    assert_true(spv_find_decoration(words, n, 3, SpvDecorationBinding, &literal));
    assert_int_equal(literal, 7);
    assert_true(spv_find_decoration(words, n, 3, SpvDecorationBlock, &literal));
    assert_int_equal(literal, 0);
    assert_true(spv_find_member_decoration(words, n, 3, 1, SpvDecorationOffset, &literal));
    assert_int_equal(literal, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_go_round), cmocka_unit_test(modules_are_told),
        cmocka_unit_test(ids_are_found),         cmocka_unit_test(decorations_are_found),
        cmocka_unit_test(strings_are_padded),    cmocka_unit_test(broken_words_end_the_walk),
        cmocka_unit_test(limits_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
