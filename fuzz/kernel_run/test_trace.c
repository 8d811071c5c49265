/* fuzz/kernel_run/test_trace.c -- what a kernel computes is stored, and what is wrong first is told. The values are worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "fuzz/kernel_run/kernel_blame.h"
#include "fuzz/kernel_run/kernel_try.h"
#include "fuzz/triage/kernel_trace.h"
#include "oracle/judge/judge.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)
enum {
    INVOCATIONS = 2,
    OUT_BYTES = 4 * INVOCATIONS
};

/* y[i] = f(x[i]), f(v) = v * v + v; the values in a function that is called, as OpLoad of the result hides it. */
#define BODY                                                                                       \
    "%20 = OpFunction %2 None %10\n%21 = OpLabel\n%60 = OpVariable %61 Function\n"                 \
    "%22 = OpLoad %8 %9\n%23 = OpCompositeExtract %3 %22 0\n"                                      \
    "%24 = OpAccessChain %14 %11 %13 %23\n%25 = OpAccessChain %14 %12 %13 %23\n"                   \
    "OpLine %50 7 1\n%26 = OpLoad %4 %24\n%27 = OpFunctionCall %4 %30 %26\n"                       \
    "OpStore %60 %27\n%28 = OpLoad %4 %60\nOpStore %25 %28\nOpReturn\nOpFunctionEnd\n"             \
    "%30 = OpFunction %4 None %40\n%31 = OpFunctionParameter %4\n%32 = OpLabel\n"                  \
    "OpLine %50 3 1\n%33 = OpFMul %4 %31 %31\nOpLine %50 4 1\n%34 = OpFAdd %4 %33 %31\n"           \
    "OpReturnValue %34\nOpFunctionEnd\n"
static const char shader_text[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %20 \"main\" %9 %11 %12\nOpExecutionMode %20 LocalSize 2 1 1\n"
    "%50 = OpString \"a.comp\"\n"
    "OpDecorate %9 BuiltIn GlobalInvocationId\nOpDecorate %33 NoContraction\n"
    "OpDecorate %34 NoContraction\nOpDecorate %5 ArrayStride 4\nOpDecorate %6 Block\n"
    "OpMemberDecorate %6 0 Offset 0\n"
    "OpDecorate %11 DescriptorSet 0\nOpDecorate %11 Binding 0\n"
    "OpDecorate %12 DescriptorSet 0\nOpDecorate %12 Binding 1\n"
    "%2 = OpTypeVoid\n%3 = OpTypeInt 32 0\n%4 = OpTypeFloat 32\n%5 = OpTypeRuntimeArray %4\n"
    "%6 = OpTypeStruct %5\n%7 = OpTypePointer StorageBuffer %6\n%8 = OpTypeVector %3 3\n"
    "%16 = OpTypePointer Input %8\n%9 = OpVariable %16 Input\n%10 = OpTypeFunction %2\n"
    "%40 = OpTypeFunction %4 %4\n%61 = OpTypePointer Function %4\n"
    "%11 = OpVariable %7 StorageBuffer\n%12 = OpVariable %7 StorageBuffer\n"
    "%13 = OpConstant %3 0\n%14 = OpTypePointer StorageBuffer %4\n" BODY;

struct rig {
    struct arena a;
    struct testcase tc;
    struct kernel_trace t;
    struct observation ob;
    struct judgement g;
    struct err e;
    unsigned char *out[CASE_MAX_BUFS];
};

static void put_float(unsigned char *to, float x)
{
    uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    store_le(to, bits, sizeof bits);
}

static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    if (!r) {
        return -1;
    }
    arena_init(&r->a, TEST_ARENA_BYTES);
    r->tc = (struct testcase){
        .profile = "programs",
        .env = ENV_VK,
        .source = "",
        .entry = "main",
        .build_options = "",
        .local = {INVOCATIONS, 1, 1},
        .global = {INVOCATIONS, 1, 1},
        .n_dispatches = 1,
        .n_bufs = 2
    };
    for (uint32_t i = 0; i < 2; i++) {
        r->tc.bufs[i] = (struct buf){.kind = BUF_STORAGE, .n_bytes = OUT_BYTES};
        r->tc.bufs[i].data = ARENA_NEW(&r->a, unsigned char, OUT_BYTES);
        memset(r->tc.bufs[i].data, 0, OUT_BYTES);
    }
    put_float(r->tc.bufs[0].data, 3);
    put_float(r->tc.bufs[0].data + 4, 5);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    arena_free(&r->a);
    free(r);
    return 0;
}

/* The traced module is one that SPIRV-Tools permits. */
static void make(struct rig *r)
{
    if (spirv_assemble("shader", shader_text, sizeof shader_text - 1, &r->a, &r->tc.module,
                       &r->tc.n_words, &r->e) != RES_OK ||
        kernel_trace_make(&r->tc, &r->a, &r->t, &r->e) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    const char *said = NULL;
    if (spirv_validate(&r->t.tc, &r->a, &said) != SPIRV_VALID) {
        fail_msg("%s", said);
    }
    r->ob = (struct observation){
        .status = RUN_DONE, .log = "", .signature = "", .facts = "", .n_bufs = r->t.tc.n_bufs};
    for (uint32_t i = 0; i < r->t.tc.n_bufs; i++) {
        r->out[i] = ARENA_NEW(&r->a, unsigned char, r->t.tc.bufs[i].n_bytes);
        memcpy(r->out[i], r->t.tc.bufs[i].data, r->t.tc.bufs[i].n_bytes);
        r->ob.out[i] = r->out[i];
    }
}

/* What an invocation gives: slot 0 holds its id's component in the buffer of integers' place; then come what it loads, the product,
 * the sum, and the sum loaded. */
static void give(struct rig *r, uint32_t invocation, float x, float product, float sum)
{
    uint32_t const ints = r->t.first_buf, floats = r->t.first_buf + 1;
    unsigned char *const at = r->out[floats] + (size_t)invocation * r->t.n_slots * 4;
    unsigned char *const ids = r->out[ints] + (size_t)invocation * r->t.n_slots * 4;
    store_le(ids, invocation, 4); /* x, y, z of the id */
    store_le(ids + 4, 0, 4);
    store_le(ids + 8, 0, 4);
    put_float(at + 12, x);
    put_float(at + 16, product);
    put_float(at + 20, sum);
    put_float(at + 24, sum);
    put_float(r->out[1] + (size_t)invocation * 4, sum);
}

static void judge(struct rig *r)
{
    if (judge_run(&r->t.tc, &r->ob, &r->a, &r->g, &r->e) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
}

/* 3 * 3 + 3 = 12, 5 * 5 + 5 = 30: all is well. */
static void what_is_right_is_not_accused(void **state)
{
    struct rig *const r = *state;
    make(r);
    give(r, 0, 3, 9, 12);
    give(r, 1, 5, 25, 30);
    judge(r);
    assert_int_equal(r->g.kind, VERDICT_OK);
    assert_null(kernel_trace_find_first(&r->t, &r->g, 0));
}

/* A product of 10 and a sum of 13, which is right of 10: the product is to blame, in line 3. A sum of 13 of a right product: the
 * sum is, in line 4. */
static void what_is_wrong_first_is_named(void **state)
{
    static const struct {
        float product, sum;
        uint32_t op, line;
    } rows[] = {
        {26, 31, SpvOpFMul, 3},
        {25, 31, SpvOpFAdd, 4},
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        uint32_t line = 0;
        make(r);
        give(r, 0, 3, 9, 12);
        give(r, 1, 5, rows[i].product, rows[i].sum);
        judge(r);
        const struct finding *const f = kernel_trace_find_first(&r->t, &r->g, 1);
        assert_non_null(f);
        assert_int_equal(f->invocation, 1);
        uint32_t const at =
            kernel_trace_locate(&r->t, f->offset, r->tc.module, r->tc.n_words, &line);
        assert_int_equal(r->tc.module[at] & 0xffff, rows[i].op);
        assert_int_equal(line, rows[i].line);
    }
}

/* A simulated device whose sums are off by an ulp (or products, or none): what is stored is wrong, and the sum is named with its line,
 * although a load hands on its value. */
static void a_faulty_device_is_blamed(void **state)
{
    static const struct {
        const char *op; /* NULL: no fault */
        uint32_t opcode, line;
    } rows[] = {
        {"FAdd", SpvOpFAdd, 4},
        {"FMul", SpvOpFMul, 3},
        {NULL,   0,         0},
    };
    struct rig *const r = *state;
    make(r);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct target t = {.name = "sim", .kind = TARGET_SIM, .env = ENV_VK, .strategy = SIM_IEEE};
        struct kernel const k = {
            .path = "shader",
            .built = {.words = r->tc.module, .n_words = r->tc.n_words},
            .words = r->tc.module,
            .n_words = r->tc.n_words
        };
        struct try_result x;
        struct kernel_blame blame;
        t.fault = fault_plan_of(rows[i].op ? FAULT_ARITH_OFF_ULP : FAULT_NONE);
        if (rows[i].op) {
            t.fault.op = op_find_name(rows[i].op);
            t.fault.everywhere = 1;
        }
        assert_int_equal(try_run(&t, &r->tc, "", &r->a, &x, &r->e), RES_OK);
        assert_null(x.reason);
        if (!rows[i].op) {
            assert_int_equal(x.g.kind, VERDICT_OK);
            continue;
        }
        assert_int_equal(x.g.kind, VERDICT_ULP);
        assert_int_equal(kernel_blame(&k, &x, &r->a, &blame, &r->e), RES_OK);
        assert_int_equal(r->tc.module[blame.offset] & 0xffff, rows[i].opcode);
        assert_int_equal(blame.line, rows[i].line);
    }
}

/* So many invocations that none can have its slots. */
static void too_many_invocations_are_told(void **state)
{
    struct rig *const r = *state;
    make(r);
    r->tc.global[0] = CASE_MAX_ITEMS;
    assert_int_equal(kernel_trace_make(&r->tc, &r->a, &r->t, &r->e), RES_LIMIT);
    assert_non_null(strstr(r->e.text, "too many"));
}

/* A run that died is excused where the kernel may leave its buffers, and nowhere else. */
static void only_what_the_kernel_may_have_caused_is_excused(void **state)
{
    static const struct {
        enum run_status status;
        enum run_phase phase;
        uint32_t n_bytes; /* of the buffer that each invocation loads four bytes of */
        bool is_excused;
    } rows[] = {
        {RUN_CRASH,  PHASE_RUN,   OUT_BYTES, false},
        {RUN_CRASH,  PHASE_RUN,   4,         true },
        {RUN_HANG,   PHASE_RUN,   4,         true },
        {RUN_CRASH,  PHASE_BUILD, 4,         false},
        {RUN_REJECT, PHASE_RUN,   4,         false},
    };
    struct rig *const r = *state;
    make(r);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct observation const ob = {
            .status = rows[i].status, .phase = rows[i].phase, .log = "", .signature = ""};
        enum verdict_kind const accused =
            rows[i].status == RUN_REJECT ? VERDICT_REJECT : VERDICT_CRASH;
        r->g = (struct judgement){.kind = accused, .note = ""};
        r->tc.bufs[0].n_bytes = rows[i].n_bytes;
        try_excuse_bad_end(&r->tc, &ob, &r->a, &r->g);
        assert_int_equal(r->g.kind, rows[i].is_excused ? VERDICT_INCONCLUSIVE : accused);
        assert_int_equal(strstr(r->g.note, "out of bounds") != NULL, rows[i].is_excused);
    }
}

int main(void)
{
#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        WITH_RIG(what_is_right_is_not_accused),
        WITH_RIG(what_is_wrong_first_is_named),
        WITH_RIG(a_faulty_device_is_blamed),
        WITH_RIG(too_many_invocations_are_told),
        WITH_RIG(only_what_the_kernel_may_have_caused_is_excused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
