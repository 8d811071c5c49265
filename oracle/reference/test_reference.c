/* oracle/reference/test_reference.c -- errors against arithmetic that does not round, worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "oracle/reference/reference.h"
#include "oracle/reference/reference_op.h"

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
    struct observation ob;
    struct reference r;
    struct err e;
    unsigned char out[OUT_BYTES];
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

static void compute(struct rig *r, float x0, float x1, float y0, float y1)
{
    put_float(r->tc.bufs[0].data, x0);
    put_float(r->tc.bufs[0].data + 4, x1);
    put_float(r->out, y0);
    put_float(r->out + 4, y1);
    r->ob = (struct observation){
        .status = RUN_DONE, .log = "", .signature = "", .facts = "", .n_bufs = 2};
    r->ob.out[0] = r->tc.bufs[0].data;
    r->ob.out[1] = r->out;
    if (spirv_assemble("shader", shader_text, sizeof shader_text - 1, &r->a, &r->tc.module,
                       &r->tc.n_words, &r->e) != RES_OK ||
        reference_compute(&r->tc, &r->ob, &r->a, &r->r, &r->e) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
}

/* x = 1 + 2^-12: x * x + x = 2 + 2^-11 + 2^-12 + 2^-24, of which f32 with its 2^-22 between 2 and 4 keeps all but the last term: a
 * quarter of an ulp. The product of 3 and all behind it are exact. */
static void an_error_is_told_in_ulps(void **state)
{
    struct rig *const r = *state;
    compute(r, 1.0F + 0x1p-12F, 3, 2.0F + 0x1p-11F + 0x1p-12F, 12);
    const struct reference_buffer *const b = &r->r.buf[1];
    assert_int_equal(b->n, 2);
    assert_int_equal(b->n_unknown + b->n_apart, 0);
    assert_true(fabs(b->max_ulps - 0.25) < 1e-12);
    assert_true(fabs(b->mean_ulps - 0.125) < 1e-12);
    assert_true(fabs(b->max_absolute - 0x1p-24) < 1e-20);
    assert_int_equal(b->worst_byte, 0);
    assert_true(b->permitted_ulps >= 0.25 && b->permitted_ulps < 2);
    assert_int_equal(r->tc.module[r->r.worst_offset] & 0xffff, SpvOpFMul);
    assert_int_equal(r->r.buf[0].n, 0); /* nothing is stored there */
}

/* One encoding further it is three quarters; at 12 it is a whole one. */
static void a_wrong_value_is_further_off(void **state)
{
    struct rig *const r = *state;
    compute(r, 1.0F + 0x1p-12F, 3, 2.0F + 0x1p-11F + 0x1p-12F + 0x1p-22F, 12.0F + 0x1p-20F);
    assert_true(fabs(r->r.buf[1].value[0].ulps - 0.75) < 1e-12);
    assert_true(fabs(r->r.buf[1].value[1].ulps - 1) < 1e-12);
    assert_int_equal(r->r.buf[1].worst_byte, 4);
}

/* 1e30 squared is beyond f32: infinity is what it rounds to; the largest number is not, nor is a NaN. */
static void infinities_are_apart(void **state)
{
    struct rig *const r = *state;
    compute(r, 1e30F, 3, HUGE_VALF, NAN);
    assert_int_equal(r->r.buf[1].n, 2);
    assert_int_equal(r->r.buf[1].n_apart, 1);
    assert_int_equal(r->r.buf[1].n_nan, 1);
    assert_int_equal(r->r.buf[1].n_infinite, 1);
    assert_true(r->r.buf[1].max_ulps < 1e-12);
}

static struct reference_number number(double x)
{
    struct reference_number out;
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    reference_set_float(&out, &float_formats[FMT_F64], bits);
    return out;
}

/* Operations whose exact result a double holds. */
static void operations_are_exact(void **state)
{
    static const struct {
        uint32_t op, n;
        double arg[4], want;
    } rows[] = {
        {SpvOpFAdd,    2, {1, 0x1p-52, 0, 0}, 1 + 0x1p-52},
        {SpvOpFSub,    2, {1, 3, 0, 0},       -2         },
        {SpvOpFDiv,    2, {1, 4, 0, 0},       0.25       },
        {SpvOpFNegate, 1, {2.5, 0, 0, 0},     -2.5       },
        {SpvOpFRem,    2, {-5, 3, 0, 0},      -2         },
        {SpvOpSelect,  3, {1, 2, 3, 0},       2          },
        {SpvOpSelect,  3, {0, 2, 3, 0},       3          },
        {SpvOpDot,     4, {1, 2, 3, 4},       11         },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct reference_call call = {.op = rows[i].op, .n = rows[i].n};
        struct reference_number out;
        for (uint32_t k = 0; k < rows[i].n; k++) {
            call.arg[k] = number(rows[i].arg[k]);
        }
        assert_true(reference_evaluate(&call, &out));
        assert_true(fabs(reference_to_double(&out) - rows[i].want) < 1e-300);
    }
    struct reference_call const unknown = {
        .op = SpvOpFMod, .n = 2, .arg = {number(1), number(2)}
    };
    struct reference_number out;
    assert_false(reference_evaluate(&unknown, &out));
}

int main(void)
{
#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        WITH_RIG(an_error_is_told_in_ulps),
        WITH_RIG(a_wrong_value_is_further_off),
        WITH_RIG(infinities_are_apart),
        cmocka_unit_test(operations_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
