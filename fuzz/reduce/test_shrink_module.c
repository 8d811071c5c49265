/* fuzz/reduce/test_shrink_module.c -- passes and sweep on modules written by hand: what is left, word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/kernel_args.h"
#include "fuzz/io/spirv.h"
#include "fuzz/reduce/shrink.h"
#include "fuzz/reduce/shrink_module.h"
#include "fuzz/reduce/shrink_sweep.h"

enum {
    ARENA_BYTES = 64 << 20,
    N_WORDS = 8 /* of a buffer */
};

/* A kernel with a float buffer that ends in `body`; `before` has further types, and `behind` further
 * functions. */
#define KERNEL(before, body, behind)                                                               \
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Float64\nOpCapability Groups\n"     \
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"main_kernel\"\n"                 \
    "OpSource OpenCL_C 200000\nOpName %unused \"unused\"\n"                                        \
    "OpDecorate %unused FPFastMathMode Fast\n"                                                     \
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"       \
    "%f64 = OpTypeFloat 64\n%ptr = OpTypePointer CrossWorkgroup %f32\n"                            \
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c3 = OpConstant %u32 3\n"                  \
    "%x = OpConstant %f32 3\n%true = OpConstantTrue %bool\n"                                       \
    "%kernel = OpTypeFunction %void %ptr %ptr\n%one = OpTypeFunction %f32 %f32\n" before           \
    "%main = OpFunction %void None %kernel\n%p = OpFunctionParameter %ptr\n"                       \
    "%q = OpFunctionParameter %ptr\n%entry = OpLabel\n" body "OpFunctionEnd\n" behind

#define DOUBLED                                                                                    \
    "%twice = OpFunction %f32 None %one\n%v = OpFunctionParameter %f32\n%in = OpLabel\n"           \
    "%unused = OpFAdd %f32 %v %v\nOpReturnValue %unused\nOpFunctionEnd\n"

struct rig {
    struct arena a;
    struct testcase tc;
    unsigned char content[2][4 * N_WORDS];
};

/* A case of two buffers with the module that the text is. rig_take takes a candidate over, which must be
 * there. */
static struct rig *rig_new(const char *text)
{
    struct err e;
    struct rig *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, ARENA_BYTES);
    r->tc = (struct testcase){
        .env = ENV_CL,
        .profile = "atomics",
        .entry = "main_kernel",
        .build_options = "-cl-mad-enable -cl-no-signed-zeros",
        .local = {4, 2, 1},
        .global = {8, 2, 1},
        .n_bufs = 2
    };
    for (int b = 0; b < 2; b++) {
        r->tc.bufs[b] = (struct buf){.n_bytes = sizeof r->content[b], .data = r->content[b]};
    }
    if (spirv_assemble("test", text, strlen(text), &r->a, &r->tc.module, &r->tc.n_words, &e) !=
        RES_OK) {
        fail_msg("%s", e.text);
    }
    return r;
}

static void rig_free(struct rig *r)
{
    arena_free(&r->a);
    free(r);
}

static void rig_sweep(struct rig *r)
{
    r->tc.module = shrink_sweep(r->tc.module, r->tc.n_words, &r->a, &r->tc.n_words);
    assert_non_null(r->tc.module);
}

static uint32_t count_op(const struct testcase *tc, uint32_t op)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t n = 0;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        n += i.op == op;
    }
    return n;
}

/* The first candidate of a pass becomes the case; it must be valid. */
static void rig_take(struct rig *r, const struct shrink_pass *p, uint32_t step)
{
    struct testcase out;
    const char *text = "";
    assert_int_equal(shrink_try(p, &r->tc, step, &r->a, &out), 1);
    if (spirv_validate(&out, &r->a, &text) != SPIRV_VALID) {
        fail_msg("%s", text);
    }
    r->tc = out;
}

#define IDLE                                                                                       \
    "%e = OpInBoundsPtrAccessChain %ptr %p %c1\n%l = OpLoad %f32 %e Aligned 4\n"                   \
    "%f = OpInBoundsPtrAccessChain %ptr %q %c3\n"

static void counts_leave_out_the_frame(void **state)
{
    (void)state;
    struct rig *const empty = rig_new(KERNEL("", "OpReturn\n", DOUBLED));
    struct rig *const full = rig_new(KERNEL("", IDLE "OpStore %f %l\nOpReturn\n", DOUBLED));
    assert_int_equal(shrink_count(&empty->tc), 2); /* the function that nobody calls */
    rig_sweep(empty);
    assert_int_equal(shrink_count(&empty->tc), 0);
    assert_int_equal(shrink_count(&full->tc), 4 + 2);
    full->tc.n_words -= 2; /* the last instruction is not whole */
    assert_int_equal(shrink_count(&full->tc), 0);
    rig_free(empty);
    rig_free(full);
}

static void sweep_leaves_what_is_used(void **state)
{
    (void)state;
    struct rig *const r = rig_new(KERNEL("", IDLE "OpStore %f %x\nOpReturn\n", DOUBLED));
    rig_sweep(r);
    assert_int_equal(shrink_count(&r->tc), 2); /* a chain and the store: the load is unused */
    assert_int_equal(count_op(&r->tc, SpvOpFunction), 1);
    assert_int_equal(count_op(&r->tc, SpvOpCapability), 2); /* neither Float64 nor Groups */
    assert_int_equal(count_op(&r->tc, SpvOpName), 0);
    assert_int_equal(count_op(&r->tc, SpvOpDecorate), 0);
    assert_int_equal(count_op(&r->tc, SpvOpConstant), 2);
    rig_free(r);
}

static void a_function_goes_where_it_is_called(void **state)
{
    (void)state;
    struct rig *const r = rig_new(
        KERNEL("", IDLE "%r = OpFunctionCall %f32 %twice %l\nOpStore %f %r\nOpReturn\n", DOUBLED));
    rig_take(r, &shrink_code_inline, 0);
    assert_int_equal(count_op(&r->tc, SpvOpFunctionCall), 0);
    assert_int_equal(count_op(&r->tc, SpvOpFunction), 1);
    assert_int_equal(count_op(&r->tc, SpvOpFAdd), 1);
    assert_int_equal(count_op(&r->tc, SpvOpDecorate), 1); /* said of the copy as well */
    rig_free(r);
}

#define BRANCH                                                                                     \
    IDLE "OpSelectionMerge %m DontFlatten\nOpBranchConditional %true %yes %no\n"                   \
         "%yes = OpLabel\n%s = OpFAdd %f32 %l %x\nOpBranch %m\n"                                   \
         "%no = OpLabel\n%t = OpFMul %f32 %l %x\nOpStore %e %t\nOpBranch %m\n"                     \
         "%m = OpLabel\n%phi = OpPhi %f32 %s %yes %t %no\nOpStore %f %phi\nOpReturn\n"

static void an_arm_is_taken_and_blocks_are_joined(void **state)
{
    (void)state;
    for (uint32_t arm = 0; arm < 2; arm++) {
        struct rig *const r = rig_new(KERNEL("", BRANCH, DOUBLED));
        rig_take(r, &shrink_code_take_arms, arm);
        assert_int_equal(count_op(&r->tc, SpvOpLabel), 1);
        assert_int_equal(count_op(&r->tc, SpvOpPhi), 0);
        assert_int_equal(count_op(&r->tc, SpvOpFAdd), arm == 0);
        assert_int_equal(count_op(&r->tc, SpvOpStore), 1 + arm);
        rig_free(r);
    }
}

static void a_construct_is_dropped_and_its_phi_gets_a_value(void **state)
{
    (void)state;
    struct rig *const r = rig_new(KERNEL("", BRANCH, DOUBLED));
    rig_take(r, &shrink_code_drop_constructs, 0);
    assert_int_equal(count_op(&r->tc, SpvOpLabel), 1);
    assert_int_equal(shrink_count(&r->tc), 2); /* a chain and the store of a constant */
    rig_free(r);
}

#define LOOP                                                                                       \
    IDLE "OpBranch %h\n%h = OpLabel\n%i = OpPhi %u32 %c0 %entry %j %c\nOpLoopMerge %m %c Unroll\n" \
         "OpBranch %t\n%t = OpLabel\n%k = OpULessThan %bool %i %c3\n"                              \
         "OpBranchConditional %k %b %m\n%b = OpLabel\nOpStore %f %l\nOpBranch %c\n"                \
         "%c = OpLabel\n%j = OpIAdd %u32 %i %c1\nOpBranch %h\n%m = OpLabel\nOpReturn\n"

static void a_loop_runs_once_or_never(void **state)
{
    (void)state;
    struct rig *const once = rig_new(KERNEL("", LOOP, DOUBLED));
    struct rig *const never = rig_new(KERNEL("", LOOP, DOUBLED));
    rig_take(once, &shrink_code_run_once, 0);
    assert_int_equal(count_op(&once->tc, SpvOpLabel), 1);
    assert_int_equal(count_op(&once->tc, SpvOpStore), 1);
    assert_int_equal(shrink_count(&once->tc), 4);
    rig_take(never, &shrink_code_drop_constructs, 0);
    assert_int_equal(shrink_count(&never->tc), 0);
    rig_free(once);
    rig_free(never);
}

/* Masks are dropped, loads of constants become constants, and buffers are cut to what is still used. */
static void masks_and_content_go(void **state)
{
    (void)state;
    struct rig *const r = rig_new(KERNEL("", LOOP, DOUBLED));
    store_le(r->content[0] + 4, 0x40200000, 4);
    rig_take(r, &shrink_flags_masks, 0);
    struct testcase again;
    assert_int_equal(shrink_try(&shrink_flags_masks, &r->tc, 0, &r->a, &again), -1);
    rig_take(r, &shrink_setup_to_constants, 0);
    assert_int_equal(count_op(&r->tc, SpvOpLoad), 0);
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    int is_found = 0;
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        is_found |= i.op == SpvOpConstant && i.w[3] == 0x40200000;
    }
    assert_true(is_found);
    rig_take(r, &shrink_setup_cut, 0); /* one is not read any more, the other ends at element 3 */
    assert_int_equal(r->tc.bufs[0].n_bytes, 4);
    assert_int_equal(r->tc.bufs[1].n_bytes, 16);
    rig_free(r);
}

/* Does a candidate of the pass hold this word: the first buffer at its start, or a constant of the module? */
static bool offers(struct rig *r, const struct shrink_pass *p, bool is_constant, uint32_t word)
{
    bool is_offered = false;
    struct testcase out;
    int made = 0;
    for (uint32_t step = 0; (made = shrink_try(p, &r->tc, step, &r->a, &out)) >= 0; step++) {
        uint32_t offset = SPV_HEADER_WORDS;
        struct spv_inst i;
        while (made && is_constant && spv_next(out.module, out.n_words, &offset, &i)) {
            is_offered |= i.op == SpvOpConstant && i.w[3] == word;
        }
        is_offered |= made && !is_constant && load_le(out.bufs[0].data, 4) == word;
    }
    return is_offered;
}

/* Whether a zero shows what a subnormal shows is tried, and with the sign that a flush keeps; no ordinary number becomes -0. */
static void a_zero_is_tried_for_a_subnormal(void **state)
{
    (void)state;
    static const struct {
        uint32_t word, zero;
        bool is_tried;
    } rows[] = {
        {0x807fffff, 0x80000000, true }, /* f32, or the upper half of an f64 */
        {0x83ff83ff, 0x80008000, true }, /* two f16 */
        {0x000083ff, 0x00008000, true }, /* one */
        {0x7fc00000, 0x80000000, true },
        {0x40490fdb, 0x80000000, false},
        {0x00000007, 0x80000000, false},
        {0x00000007, 0x00008000, false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *const r = rig_new(KERNEL("", IDLE "OpReturn\n", ""));
        store_le(r->content[0], rows[i].word, 4);
        bool const is_tried = offers(r, &shrink_setup_simplify, false, rows[i].zero) ||
                              offers(r, &shrink_setup_special, false, rows[i].zero);
        assert_int_equal(is_tried, rows[i].is_tried);
        rig_free(r);
    }
    static const struct {
        const char *text;
        bool is_tried;
    } constants[] = {
        {KERNEL("%s = OpConstant %f32 -0x1.fffffcp-127\n", "OpStore %p %s\nOpReturn\n", ""), true },
        {KERNEL("%s = OpConstant %f32 3.5\n",              "OpStore %p %s\nOpReturn\n", ""), false},
    };
    for (size_t i = 0; i < ARRAY_N(constants); i++) {
        struct rig *const r = rig_new(constants[i].text);
        assert_int_equal(offers(r, &shrink_code_constants, true, 0x80000000) ||
                             offers(r, &shrink_code_special_constants, true, 0x80000000),
                         constants[i].is_tried);
        rig_free(r);
    }
}

/* An argument by value keeps its size, which stands in the module, when buffers are cut; its words become simpler. */
static void values_keep_their_size(void **state)
{
    (void)state;
    struct rig *const r = rig_new(
        "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n"
        "OpEntryPoint Kernel %main \"main_kernel\"\n%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n"
        "%v2 = OpTypeVector %u32 2\n%ptr = OpTypePointer CrossWorkgroup %u32\n"
        "%kernel = OpTypeFunction %void %v2 %ptr\n%main = OpFunction %void None %kernel\n"
        "%v = OpFunctionParameter %v2\n%p = OpFunctionParameter %ptr\n%entry = OpLabel\n"
        "%x = OpCompositeExtract %u32 %v 1\nOpStore %p %x\nOpReturn\nOpFunctionEnd\n");
    r->tc.bufs[0].kind = BUF_VALUE;
    r->tc.bufs[0].n_bytes = 8;
    store_le(r->content[0] + 4, 77, 4);
    uint32_t n = 0;
    for (size_t p = 0; p < SHRINK_PASS_N;
         p++) { /* no candidate of any pass gives an argument wrongly */
        struct testcase out;
        int made = 0;
        for (uint32_t step = 0;
             step < 100 && (made = shrink_try(shrink_passes[p], &r->tc, step, &r->a, &out)) >= 0;
             step++) {
            assert_true(made == 0 || kernel_args_find_misfit(&out, &r->a)[0] == '\0');
            n += made > 0;
        }
    }
    assert_true(n > 5);
    rig_take(r, &shrink_setup_cut, 0);
    assert_int_equal(r->tc.bufs[0].n_bytes, 8);
    assert_int_equal(r->tc.bufs[1].n_bytes, 4);
    rig_take(r, &shrink_setup_zero, 0);
    assert_int_equal(load_le(r->tc.bufs[0].data + 4, 4), 0);
    rig_free(r);
}

/* All buffers come to set 0, in the module and in the case, once. */
static void sets_go(void **state)
{
    (void)state;
    static const char shader[] =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %main \"main\" %out\nOpExecutionMode %main LocalSize 1 1 1\n"
        "OpDecorate %array ArrayStride 4\nOpDecorate %block Block\n"
        "OpMemberDecorate %block 0 Offset 0\n"
        "OpDecorate %out DescriptorSet 3\nOpDecorate %out Binding 1\n"
        "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%array = OpTypeRuntimeArray %uint\n"
        "%block = OpTypeStruct %array\n%pb = OpTypePointer StorageBuffer %block\n"
        "%p = OpTypePointer StorageBuffer %uint\n%c0 = OpConstant %uint 0\n"
        "%out = OpVariable %pb StorageBuffer\n"
        "%tm = OpTypeFunction %void\n%main = OpFunction %void None %tm\n%l = OpLabel\n"
        "%to = OpAccessChain %p %out %c0 %c0\nOpStore %to %c0\nOpReturn\nOpFunctionEnd\n";
    struct rig *const r = rig_new(shader);
    struct testcase out;
    uint32_t offset = SPV_HEADER_WORDS, n = 0;
    struct spv_inst i;
    r->tc.env = ENV_VK;
    r->tc.bufs[1].set = 3;
    rig_take(r, &shrink_setup_sets, 0);
    assert_int_equal(r->tc.bufs[1].set, 0);
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        bool const is_set = i.op == SpvOpDecorate && i.w[2] == SpvDecorationDescriptorSet;
        n += is_set;
        assert_true(!is_set || i.w[3] == 0);
    }
    assert_int_equal(n, 1);
    assert_int_equal(shrink_try(&shrink_setup_sets, &r->tc, 0, &r->a, &out), -1);
    rig_free(r);
}

/* Every candidate of the sizes is smaller, the first one a single item; options and needs that are not used
 * go. */
static void the_dispatch_gets_smaller(void **state)
{
    (void)state;
    struct rig *const r = rig_new(KERNEL("", IDLE "OpStore %f %l\nOpReturn\n", DOUBLED));
    struct testcase out;
    uint32_t n = 0;
    needs_add(&r->tc.needs, NEED_CL_F64);
    for (uint32_t step = 0;; step++) {
        int const made = shrink_try(&shrink_setup_sizes, &r->tc, step, &r->a, &out);
        if (made < 0) {
            break;
        }
        n += made > 0;
        assert_true(made == 0 || testcase_get_items(&out) < 16 || out.local[1] == 1);
    }
    assert_true(n > 4);
    rig_take(r, &shrink_setup_sizes, 0);
    assert_int_equal(testcase_get_items(&r->tc), 1);
    rig_take(r, &shrink_setup_options, 1);
    assert_string_equal(r->tc.build_options, "-cl-mad-enable");
    assert_int_equal(shrink_try(&shrink_setup_needs, &r->tc, 0, &r->a, &out),
                     0); /* Float64 is declared */
    rig_sweep(r);
    rig_take(r, &shrink_setup_needs, 0);
    assert_false(needs_has(&r->tc.needs, NEED_CL_F64));
    rig_free(r);
}

/* shrink_chunk goes through the whole list with parts of each size, whole first and single ones last, in few
 * steps. */
static void parts_of_a_list_are_all_of_it_at_each_size(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < 70; n++) {
        uint32_t covered = 0;
        uint32_t lo = 0;
        uint32_t hi = 0;
        uint32_t step = 0;
        assert_int_equal(shrink_chunk(n, 0, &lo, &hi), 1);
        assert_true(lo == 0 && hi == n);
        for (; shrink_chunk(n, step, &lo, &hi) == 1; step++) {
            assert_true(lo < hi && hi <= n);
            covered += hi - lo;
        }
        assert_int_equal(covered % n, 0);
        assert_true(n == 1 || hi - lo == 1); /* single ones come last */
        assert_true(step <= 3 * n);
    }
    assert_int_equal(shrink_chunk(0, 0, &(uint32_t){0}, &(uint32_t){0}), -1);
}

/* A module with one word changed is refused, or makes candidates, without a crash. */
static void what_is_no_module_has_no_candidates(void **state)
{
    (void)state;
    struct rig *const r = rig_new(KERNEL("", LOOP, DOUBLED));
    uint32_t *const words = arena_copy(&r->a, r->tc.module, r->tc.n_words * sizeof *words);
    uint32_t n_refused = 0;
    assert_non_null(words);
    for (uint32_t k = 0; k < r->tc.n_words; k++) {
        struct testcase tc = r->tc;
        struct testcase out;
        uint32_t const was = words[k];
        uint32_t n = 0;
        words[k] ^= 0x10001;
        tc.module = words;
        n_refused += shrink_sweep(words, tc.n_words, &r->a, &n) == NULL;
        for (int p = 0; p < SHRINK_PASS_N; p++) {
            (void)shrink_try(shrink_passes[p], &tc, 0, &r->a, &out);
        }
        words[k] = was;
    }
    assert_true(n_refused > r->tc.n_words / 2);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_leave_out_the_frame),
        cmocka_unit_test(sweep_leaves_what_is_used),
        cmocka_unit_test(a_function_goes_where_it_is_called),
        cmocka_unit_test(an_arm_is_taken_and_blocks_are_joined),
        cmocka_unit_test(a_construct_is_dropped_and_its_phi_gets_a_value),
        cmocka_unit_test(a_loop_runs_once_or_never),
        cmocka_unit_test(masks_and_content_go),
        cmocka_unit_test(a_zero_is_tried_for_a_subnormal),
        cmocka_unit_test(values_keep_their_size),
        cmocka_unit_test(sets_go),
        cmocka_unit_test(the_dispatch_gets_smaller),
        cmocka_unit_test(parts_of_a_list_are_all_of_it_at_each_size),
        cmocka_unit_test(what_is_no_module_has_no_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
