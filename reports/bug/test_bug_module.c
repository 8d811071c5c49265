/* reports/bug/test_bug_module.c -- modules written word by word, and what is told of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "reports/bug/bug_module.h"

/* Ids. */
enum {
    SET = 1,
    F16,
    U32,
    V4,
    PTR,
    ZERO,  /* f16 */
    SCOPE, /* u32 */
    FN,
    MAIN,
    PARAM,
    LABEL,
    LOADED,
    FIRST,
    SECOND,
    ARRAY, /* f16[2] */
    ARRAY_PTR,
    VARIABLE,
    ELEMENT,
    BOUND
};

struct built {
    struct arena a;
    struct testcase tc;
    struct spv_words words;
};

#define PUT(b, op, ...)                                                                            \
    spv_put(&(b)->words, op, (const uint32_t[]){__VA_ARGS__},                                      \
            sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

/* A function that loads a half; end() after what a test puts there. */
static void begin(struct built *b)
{
    static const uint32_t header[] = {SpvMagicNumber, 0x10000, 0, BOUND, 0};
    memset(b, 0, sizeof *b);
    arena_init(&b->a, 1 << 20);
    spv_words_init(&b->words, &b->a);
    struct spv_words const head = {
        .w = (uint32_t *)arena_copy(&b->a, header, sizeof header), .n = 5, .ok = 1};
    spv_append(&b->words, &head);
    PUT(b, SpvOpTypeFloat, F16, 16);
    PUT(b, SpvOpTypeInt, U32, 32, 0);
    PUT(b, SpvOpTypeVector, V4, F16, 4);
    PUT(b, SpvOpTypePointer, PTR, SpvStorageClassCrossWorkgroup, F16);
    PUT(b, SpvOpConstant, F16, ZERO, 0);
    PUT(b, SpvOpConstant, U32, SCOPE, 2);
    PUT(b, SpvOpFunction, U32, MAIN, 0, FN);
    PUT(b, SpvOpFunctionParameter, PTR, PARAM);
    PUT(b, SpvOpLabel, LABEL);
    PUT(b, SpvOpLoad, F16, LOADED, PARAM);
}

static void end(struct built *b)
{
    spv_put(&b->words, SpvOpReturn, NULL, 0);
    spv_put(&b->words, SpvOpFunctionEnd, NULL, 0);
    assert_true(b->words.ok);
    b->tc = (struct testcase){.module = b->words.w, .n_words = b->words.n};
}

/* Beside loads, stores and the like one instruction is the one that matters; of two neither is. */
static void one_instruction_stands_out(void **state)
{
    (void)state;
    struct built b;
    begin(&b);
    end(&b);
    assert_string_equal(bug_find_sole(&b.tc, &b.a), "");
    arena_free(&b.a);
    begin(&b);
    PUT(&b, SpvOpGroupBroadcast, F16, FIRST, SCOPE, ZERO, SCOPE);
    PUT(&b, SpvOpStore, PARAM, FIRST);
    end(&b);
    assert_string_equal(bug_find_sole(&b.tc, &b.a), "OpGroupBroadcast (f16)");
    arena_free(&b.a);
    begin(&b);
    PUT(&b, SpvOpGroupBroadcast, V4, FIRST, SCOPE, ZERO, SCOPE);
    end(&b);
    assert_string_equal(bug_find_sole(&b.tc, &b.a), "OpGroupBroadcast (v4 f16)");
    arena_free(&b.a);
    begin(&b);
    PUT(&b, SpvOpGroupBroadcast, F16, FIRST, SCOPE, ZERO, SCOPE);
    PUT(&b, SpvOpFAdd, F16, SECOND, FIRST, FIRST);
    end(&b);
    assert_string_equal(bug_find_sole(&b.tc, &b.a), "");
    arena_free(&b.a);
}

/* An instruction of constants alone may be computed by a compiler, one with an operand that is loaded may not. */
static void operands_that_are_constants(void **state)
{
    (void)state;
    static const struct {
        uint32_t x, y;
        bool is_of_constants;
    } rows[] = {
        {ZERO,   ZERO,   true },
        {ZERO,   LOADED, false},
        {LOADED, ZERO,   false},
        {LOADED, LOADED, false},
    };
    enum {
        OPENCL_EXP = 19 /* OpenCL.std */
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct built b;
        begin(&b);
        PUT(&b, SpvOpFMul, F16, FIRST, rows[i].x, rows[i].y);
        PUT(&b, SpvOpExtInst, F16, SECOND, SET, OPENCL_EXP, rows[i].x);
        end(&b);
        assert_int_equal(bug_is_of_constants(&b.tc, "FMul", &b.a), rows[i].is_of_constants);
        assert_int_equal(bug_is_of_constants(&b.tc, "exp", &b.a), rows[i].x == ZERO);
        assert_false(bug_is_of_constants(&b.tc, "FDiv", &b.a)); /* there is none */
        assert_false(bug_is_of_constants(&b.tc, "-", &b.a));
        arena_free(&b.a);
    }
}

/* A load is told by the variable behind its pointer, and an instruction by the load that an operand comes of. */
static void loads_are_told_by_their_variables(void **state)
{
    (void)state;
    static const struct {
        uint32_t storage;
        const char *loaded;
    } rows[] = {
        {SpvStorageClassFunction,       "a private f16[2]"   },
        {SpvStorageClassPrivate,        "a private f16[2]"   },
        {SpvStorageClassWorkgroup,      "a work-group f16[2]"},
        {SpvStorageClassCrossWorkgroup, ""                   },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct built b;
        begin(&b);
        PUT(&b, SpvOpTypeArray, ARRAY, F16, SCOPE);
        PUT(&b, SpvOpTypePointer, ARRAY_PTR, rows[i].storage, ARRAY);
        PUT(&b, SpvOpVariable, ARRAY_PTR, VARIABLE, rows[i].storage);
        PUT(&b, SpvOpInBoundsAccessChain, PTR, ELEMENT, VARIABLE, SCOPE);
        uint32_t const load = b.words.n;
        PUT(&b, SpvOpLoad, F16, FIRST, ELEMENT);
        uint32_t const sum = b.words.n;
        PUT(&b, SpvOpFAdd, F16, SECOND, ZERO, FIRST);
        end(&b);
        assert_string_equal(bug_describe_loaded(&b.tc, load, &b.a), rows[i].loaded);
        assert_string_equal(bug_describe_loaded(&b.tc, 0, &b.a), rows[i].loaded);
        assert_string_equal(bug_describe_loaded(&b.tc, sum, &b.a), "");
        const char *const loaded = rows[i].loaded;
        assert_string_equal(bug_describe_source(&b.tc, sum, &b.a),
                            loaded[0] ? arena_printf(&b.a, "a load of %s", loaded) : "");
        assert_string_equal(bug_describe_source(&b.tc, load, &b.a), "");
        assert_string_equal(bug_describe_source(&b.tc, 0, &b.a), "");
        arena_free(&b.a);
    }
}

/* An array of itself, and an element of itself, have no end. */
static void what_has_no_end(void **state)
{
    (void)state;
    struct built b;
    begin(&b);
    PUT(&b, SpvOpTypeArray, ARRAY, ARRAY, SCOPE);
    PUT(&b, SpvOpTypePointer, ARRAY_PTR, SpvStorageClassFunction, ARRAY);
    PUT(&b, SpvOpVariable, ARRAY_PTR, VARIABLE, SpvStorageClassFunction);
    PUT(&b, SpvOpAccessChain, PTR, ELEMENT, ELEMENT, SCOPE);
    PUT(&b, SpvOpLoad, F16, FIRST, VARIABLE);
    PUT(&b, SpvOpLoad, F16, SECOND, ELEMENT);
    end(&b);
    assert_string_equal(bug_describe_loaded(&b.tc, 0, &b.a), "");
    arena_free(&b.a);
}

/* Words that are no module tell nothing, and none after their end is read. */
static void what_is_no_module(void **state)
{
    (void)state;
    struct built b;
    begin(&b);
    PUT(&b, SpvOpFMul, F16, FIRST, ZERO, ZERO);
    end(&b);
    for (uint32_t n = 0; n < b.tc.n_words; n++) {
        struct testcase cut = b.tc;
        cut.module = arena_copy(&b.a, b.tc.module, n * sizeof *b.tc.module);
        cut.n_words = n;
        assert_non_null(bug_find_sole(&cut, &b.a));
        (void)bug_is_of_constants(&cut, "FMul", &b.a);
        (void)bug_describe_source(&cut, SPV_HEADER_WORDS, &b.a);
        (void)bug_describe_loaded(&cut, 0, &b.a);
    }
    arena_free(&b.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_instruction_stands_out),
        cmocka_unit_test(operands_that_are_constants),
        cmocka_unit_test(loads_are_told_by_their_variables),
        cmocka_unit_test(what_has_no_end),
        cmocka_unit_test(what_is_no_module),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
