/* fuzz/known/test_pattern.c -- what stands where in a module. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "fuzz/known/pattern.h"

/* A loop with a branch in it that holds a barrier, a switch whose first case falls into the second, a function that
 * is called. */
static const char text[] = "OpCapability Kernel\n"
                           "OpCapability Addresses\n"
                           "OpMemoryModel Physical64 OpenCL\n"
                           "OpEntryPoint Kernel %main \"k\"\n"
                           "%std = OpExtInstImport \"OpenCL.std\"\n"
                           "%void = OpTypeVoid\n"
                           "%bool = OpTypeBool\n"
                           "%u = OpTypeInt 32 0\n"
                           "%f = OpTypeFloat 32\n"
                           "%v = OpTypeVector %f 4\n"
                           "%c = OpConstant %u 7\n"
                           "%one = OpConstant %f 1\n"
                           "%true = OpConstantTrue %bool\n"
                           "%ones = OpConstantComposite %v %one %one %one %one\n"
                           "%pf = OpTypePointer Function %u\n"
                           "%pw = OpTypePointer Workgroup %u\n"
                           "%w = OpVariable %pw Workgroup\n"
                           "%tv = OpTypeFunction %void\n"
                           "%main = OpFunction %void None %tv\n"
                           "%a = OpLabel\n"
                           "%x = OpVariable %pf Function\n"
                           "%r = OpFunctionCall %void %other\n"
                           "OpStore %w %c\n"
                           "OpBranch %h\n"
                           "%h = OpLabel\n"
                           "%i = OpPhi %u %c %a %j %ct\n"
                           "OpLoopMerge %m %ct Unroll\n"
                           "OpBranchConditional %true %b %m\n"
                           "%b = OpLabel\n"
                           "OpSelectionMerge %e None\n"
                           "OpBranchConditional %true %t %e\n"
                           "%t = OpLabel\n"
                           "OpControlBarrier %c %c %c\n"
                           "OpBranch %e\n"
                           "%e = OpLabel\n"
                           "OpBranch %ct\n"
                           "%ct = OpLabel\n"
                           "%j = OpIAdd %u %i %i\n"
                           "OpBranch %h\n"
                           "%m = OpLabel\n"
                           "%l = OpLoad %u %w\n"
                           "OpSelectionMerge %z None\n"
                           "OpSwitch %l %z 1 %c1 2 %c2\n"
                           "%c1 = OpLabel\n"
                           "OpStore %x %l\n"
                           "OpBranch %c2\n"
                           "%c2 = OpLabel\n"
                           "OpBranch %z\n"
                           "%z = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n"
                           "%other = OpFunction %void None %tv\n"
                           "%o = OpLabel\n"
                           "%s = OpExtInst %v %std fmin %ones %ones\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

static bool has(const char *pattern)
{
    struct arena a;
    struct pattern p;
    struct err e = {0};
    const uint32_t *words = NULL;
    uint32_t n_words = 0;
    arena_init(&a, (size_t)1 << 20);
    assert_int_equal(spirv_assemble("text", text, strlen(text), &a, &words, &n_words, &e), RES_OK);
    assert_int_equal(pattern_parse(&p, pattern, &a, &e), RES_OK);
    const struct pattern_module *const m = pattern_read(words, n_words, &a);
    assert_non_null(m);
    bool const is_found = pattern_find(&p, m) == p.n;
    arena_free(&a);
    return is_found;
}

static void what_stands_there_is_found(void **state)
{
    (void)state;
    assert_true(has("loop branch ControlBarrier"));
    assert_true(has("loop Phi i32 by-constant"));
    assert_true(has("LoopMerge unroll; loop continue IAdd by-itself; Load shared exchanged"));
    assert_true(has("Switch falls; switch Store private; Return"));
    assert_true(has("function fmin vector f32 constants"));
    assert_true(has("2 Store"));
    assert_true(has("function fmax|fmin vector"));
    assert_true(has("loop branch Control*|Memory*"));
}

static void what_does_not_is_not(void **state)
{
    (void)state;
    assert_false(has("branch loop ControlBarrier"));
    assert_false(has("!loop ControlBarrier"));
    assert_false(has("loop Phi f32"));
    assert_false(has("LoopMerge dont-unroll"));
    assert_false(has("Load shared; loop IAdd"));
    assert_false(has("Store private exchanged"));
    assert_false(has("!function fmin"));
    assert_false(has("3 Store"));
    assert_false(has("fmi|fminx"));
    assert_false(has("!branch Control*"));
}

static void bad_words_are_named(void **state)
{
    struct arena a;
    struct pattern p;
    struct err e = {0};
    (void)state;
    arena_init(&a, (size_t)1 << 16);
    assert_int_equal(pattern_parse(&p, "Load shard", &a, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "shard"));
    assert_int_equal(pattern_parse(&p, "Load; loop", &a, &e), RES_FORMAT);
    assert_int_equal(pattern_parse(&p, "A;B;C;D;E;F;G;H;I", &a, &e), RES_FORMAT);
    arena_free(&a);
}

static void broken_words_are_refused(void **state)
{
    struct arena a;
    uint32_t const words[] = {SpvMagicNumber, 0x10000, 0, 4, 0, 5u << 16 | SpvOpIAdd, 1};
    (void)state;
    arena_init(&a, (size_t)1 << 16);
    assert_null(pattern_read(words, 7, &a));
    assert_null(pattern_read(words, 3, &a));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_there_is_found),
        cmocka_unit_test(what_does_not_is_not),
        cmocka_unit_test(bad_words_are_named),
        cmocka_unit_test(broken_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
