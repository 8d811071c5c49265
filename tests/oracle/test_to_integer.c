/* tests/oracle/test_to_integer.c -- conversions of floats to integers: one that is out of range ends all judgement of
 * a Vulkan module, and of nothing in OpenCL. The simulated device counts them. */
#include <stdio.h>

#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/judge_rig.h"

enum {
    TWO_AND_A_HALF = 0x40200000,
    ALMOST_2_31 = 0x4effffff, /* 2^31 - 128 */
    PLUS_2_31 = 0x4f000000,
    ALMOST_2_32 = 0x4f7fffff, /* 2^32 - 256 */
    PLUS_2_32 = 0x4f800000,
    MINUS_INF = (int)0xff800000,
    MINUS_2_31 = (int)0xcf000000,
    BELOW_MINUS_2_31 = (int)0xcf000001, /* -2^31 - 256 */
    ALMOST_MINUS_ONE = (int)0xbf7fffff
};

/* A module that stores %i, which `body` makes of %v, in Vulkan or as a kernel; decorations for Vulkan. */
static struct rig *make_module(enum env env, const char *modes, const char *body)
{
    struct rig *r = make_rig(env, 1);
    const char *frame = env == ENV_CL ? cl_frame : arena_printf(&r->a, vk_frame, "", modes);
    const char *at = strstr(frame, "%c0 = ");
    assert_non_null(at);
    assemble(r,
             arena_printf(&r->a,
                          "%.*s%%bool = OpTypeBool\n%%one = OpConstant %%f32 1\n"
                          "%%seven = OpConstant %%f32 7\n%s%sOpStore %%pout %%i\n"
                          "OpReturn\nOpFunctionEnd\n",
                          (int)(at - frame), frame, at, body),
             env == ENV_CL ? SPV_ENV_UNIVERSAL_1_2 : SPV_ENV_UNIVERSAL_1_3);
    return r;
}

static void expect(struct rig *r, uint32_t in, uint32_t out, enum verdict_kind want)
{
    r->in[0] = in;
    r->out_after[0] = out;
    enum verdict_kind const got = judge_rig(r);
    bool const has_defined = r->tc.env == ENV_CL || want != VERDICT_INCONCLUSIVE;
    if (got != want || (r->j.undefined != UNDEFINED_NONE) == has_defined) {
        fail_msg("%s in %08x out %08x: %s, want %s: %s", env_names[r->tc.env], in, out,
                 verdict_rows[got].name, verdict_rows[want].name,
                 r->j.n_findings ? r->j.findings[0].text : r->j.note);
    }
}

static const struct {
    uint32_t in;
    int is_signed, is_in_range;
    uint32_t want; /* in range */
} edges[] = {
    {TWO_AND_A_HALF,             1, 1, 2         },
    {TWO_AND_A_HALF,             0, 1, 2         },
    {TINY,                       1, 1, 0         },
    {MINUS_ZERO,                 0, 1, 0         },
    {ALMOST_2_31,                1, 1, 0x7fffff80},
    {PLUS_2_31,                  1, 0, 0         },
    {PLUS_2_31,                  0, 1, 0x80000000},
    {(uint32_t)MINUS_2_31,       1, 1, 0x80000000},
    {(uint32_t)BELOW_MINUS_2_31, 1, 0, 0         },
    {ALMOST_2_32,                0, 1, 0xffffff00},
    {PLUS_2_32,                  0, 0, 0         },
    {(uint32_t)ALMOST_MINUS_ONE, 0, 1, 0         }, /* the integer holds what rounding makes of it */
    {(uint32_t)MINUS_ONE,        0, 0, 0         },
    {(uint32_t)MINUS_ONE,        1, 1, 0xffffffff},
    {PLUS_INF,                   1, 0, 0         },
    {(uint32_t)MINUS_INF,        1, 0, 0         },
    {PLUS_INF,                   0, 0, 0         },
    {QNAN,                       1, 0, 0         },
    {SNAN,                       0, 0, 0         },
};

/* In range the integer is asked for in both environments. Out of range OpenCL takes any, and a Vulkan module is
 * not judged. */
static void the_edges_of_the_range(void **state)
{
    (void)state;
    COVERS(FTOI);
    uint32_t n_in_range = 0;
    for (int env = 0; env < ENV_N; env++) {
        enum verdict_kind const beyond = env == ENV_VK ? VERDICT_INCONCLUSIVE : VERDICT_OK;
        for (size_t i = 0; i < ARRAY_N(edges); i++) {
            struct rig *r = make_module((enum env)env, "",
                                        edges[i].is_signed ? "%i = OpConvertFToS %u32 %v\n"
                                                           : "%i = OpConvertFToU %u32 %v\n");
            int const in_range = edges[i].is_in_range;
            if (env == ENV_CL && edges[i].in == (uint32_t)ALMOST_MINUS_ONE) {
                free_rig(r); /* below the range before it is rounded, and there that counts */
                continue;
            }
            expect(r, edges[i].in, edges[i].want, in_range ? VERDICT_OK : beyond);
            expect(r, edges[i].in, edges[i].want + 5, in_range ? VERDICT_ULP : beyond);
            n_in_range += (uint32_t)in_range;
            free_rig(r);
        }
    }
    assert_true(n_in_range > 0 && n_in_range < ENV_N * ARRAY_N(edges));
}

/* Neither what was stored before, nor bytes around a buffer, nor a coverage count: all is undefined. */
static void nothing_of_an_undefined_program_is_judged(void **state)
{
    (void)state;
    static const char body[] = "%pout1 = OpAccessChain %pu %out %c0 %c1\n"
                               "%n = OpConvertFToS %u32 %seven\nOpStore %pout1 %n\n"
                               "%i = OpConvertFToS %u32 %v\n";
    struct rig *r = make_module(ENV_VK, "", body);
    r->out_after[1] = 7;
    expect(r, TWO_AND_A_HALF, 2, VERDICT_OK);
    assert_true(r->j.n_judged == 2 && r->j.n_coverage > 0);
    r->out_after[1] = 8;
    expect(r, TWO_AND_A_HALF, 2, VERDICT_ULP); /* the control */
    expect(r, QNAN, 2, VERDICT_INCONCLUSIVE);
    r->ob.guard_hits = 4;
    expect(r, QNAN, 2, VERDICT_INCONCLUSIVE);
    assert_true(r->j.n_judged == 0 && r->j.n_found == 0 && r->j.n_coverage == 0);
    assert_non_null(strstr(r->j.note, "undefined"));
    r->out_after[1] = 7;
    expect(r, TWO_AND_A_HALF, 2, VERDICT_CORRUPT);
    free_rig(r);
}

/* Only what is executed counts: here the conversion, and the store of it, is left out for v >= 7. */
static void a_conversion_that_is_not_executed(void **state)
{
    (void)state;
    static const char body[] = "%less = OpFOrdLessThan %bool %v %seven\n"
                               "OpSelectionMerge %end None\nOpBranchConditional %less %yes %end\n"
                               "%yes = OpLabel\n%k = OpConvertFToU %u32 %v\nOpBranch %end\n"
                               "%end = OpLabel\n%i = OpPhi %u32 %c1 %entry %k %yes\n";
    struct rig *r = make_module(ENV_VK, "", body);
    expect(r, TWO_AND_A_HALF, 2, VERDICT_OK);
    expect(r, TWO_AND_A_HALF, 1, VERDICT_ULP);
    expect(r, PLUS_2_32, 1, VERDICT_OK);
    expect(r, PLUS_2_32, 2, VERDICT_ULP);
    expect(r, (uint32_t)MINUS_ONE, 1, VERDICT_INCONCLUSIVE);
    free_rig(r);
}

/* Here the interpreter gives up at the branch, as comparisons of infinities are not determined. What lies
 * behind it might be a conversion out of range, if the module has any. */
static void a_module_that_is_not_followed_to_its_end(void **state)
{
    (void)state;
    static const char begin[] = "%pout1 = OpAccessChain %pu %out %c0 %c1\n"
                                "%n = OpIAdd %u32 %c1 %c1\nOpStore %pout1 %n\n";
    static const char end[] = "%less = OpFOrdLessThan %bool %v %seven\n"
                              "OpSelectionMerge %end None\nOpBranchConditional %less %yes %end\n"
                              "%yes = OpLabel\nOpBranch %end\n"
                              "%end = OpLabel\n%i = OpPhi %u32 %c1 %entry %n %yes\n";
    for (int has_conversion = 0; has_conversion < 2; has_conversion++) {
        const char *conversion = has_conversion ? "%k = OpConvertFToU %u32 %one\n" : "";
        char body[1024];
        (void)snprintf(body, sizeof body, "%s%s%s", begin, conversion, end);
        struct rig *r = make_module(ENV_VK, "", body);
        r->in[0] = PLUS_INF;
        r->out_after[0] = 1;
        r->out_after[1] = 3; /* 1 + 1 */
        assert_int_equal(judge_rig(r), has_conversion ? VERDICT_INCONCLUSIVE : VERDICT_ULP);
        assert_true(!r->j.undefined && r->j.n_inconclusive == 1);
        r->in[0] = ONE;
        r->out_after[0] = 2;
        assert_int_equal(judge_rig(r), VERDICT_ULP);
        free_rig(r);
    }
}

/* An operand that is not known is in range if each value that it may have is. A quotient may be 2.5 ulps off. */
static void an_operand_of_several_values(void **state)
{
    (void)state;
    static const char body[] = "%q = OpFDiv %f32 %v %seven\n%i = OpConvertFToU %u32 %q\n";
    struct rig *r = make_module(ENV_VK, "OpDecorate %q NoContraction\n", body);
    expect(r, 0x42ca0000, 14, VERDICT_OK); /* 101 / 7 */
    expect(r, 0x42ca0000, 15, VERDICT_ULP);
    /* 2^32 - 2^13 + 2^13 / 7, between numbers 256 apart */
    expect(r, 0x50dffff0, 0xffffee00, VERDICT_OK);
    expect(r, 0x50dffff0, 14, VERDICT_ULP);
    expect(r, 0x50dfffff, 14, VERDICT_INCONCLUSIVE); /* 1.1 ulps below */
    expect(r, QNAN, 14, VERDICT_INCONCLUSIVE);
    free_rig(r);
    r = make_module(ENV_CL, "", body);
    expect(r, 0x50e00000, 14, VERDICT_OK);
    free_rig(r);
}

/* Each integer of a set of floats: in Vulkan 2^24 + 1 is converted to either neighbour, and the pair of conversions may be
 * left out, as it is the identity over the real numbers (V env, Evaluation of Expressions), unless decorated. The kernel
 * rounds to nearest even. V env precision, OpConvertSToF: correctly rounded, in no mode. */
static void an_integer_by_way_of_a_float(void **state)
{
    (void)state;
    COVERS(CONVERT_CR);
    COVERS(FTOI);
    COVERS(ARITH_REASSOC);
    static const char body[] = "%f = OpConvertSToF %f32 %vin\n%i = OpConvertFToS %u32 %f\n";
    static const struct {
        enum env env;
        const char *modes;
        uint32_t in, out;
        enum verdict_kind kind;
    } rows[] = {
        {ENV_VK, "",                              16777217,   16777216,   VERDICT_OK        },
        {ENV_VK, "",                              16777217,   16777218,   VERDICT_OK        },
        {ENV_VK, "",                              16777217,   16777217,   VERDICT_DIVERGENCE},
        {ENV_VK, "",                              16777217,   16777219,   VERDICT_ULP       },
        {ENV_VK, "",                              16777217,   7,          VERDICT_ULP       },
        {ENV_VK, "",                              16777216,   16777216,   VERDICT_OK        },
        {ENV_VK, "",                              16777216,   16777217,   VERDICT_ULP       },
        {ENV_VK, "",                              0xfeffffff, 0xff000000, VERDICT_OK        },
        {ENV_VK, "",                              0xfeffffff, 0xfefffffe, VERDICT_OK        },
        {ENV_VK, "",                              0xfeffffff, 0xfeffffff, VERDICT_DIVERGENCE},
        {ENV_VK, "",                              0xfeffffff, 0xff000001, VERDICT_ULP       },
        {ENV_VK, "OpDecorate %f NoContraction\n", 16777217,   16777218,   VERDICT_OK        },
        {ENV_VK, "OpDecorate %f NoContraction\n", 16777217,   16777217,   VERDICT_ULP       },
        {ENV_CL, "",                              16777217,   16777216,   VERDICT_OK        },
        {ENV_CL, "",                              16777217,   16777218,   VERDICT_ULP       },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_module(rows[i].env, rows[i].modes, body);
        expect(r, rows[i].in, rows[i].out, rows[i].kind);
        assert_true(r->j.n_anything == 0 && r->j.n_judged > 0);
        assert_true(rows[i].kind == VERDICT_OK ||
                    r->j.findings[0].clause ==
                        (rows[i].kind == VERDICT_ULP ? CLAUSE_FTOI : CLAUSE_ARITH_REASSOC));
        free_rig(r);
    }
}

/* v + v - v is v where neither sum may be rearranged; else it is in range if all is that may come of it. */
static void an_operand_that_may_be_rearranged(void **state)
{
    (void)state;
    static const char body[] = "%p = OpFAdd %f32 %v %v\n%q = OpFSub %f32 %p %v\n"
                               "%i = OpConvertFToS %u32 %q\n";
    struct rig *r =
        make_module(ENV_VK, "OpDecorate %p NoContraction\nOpDecorate %q NoContraction\n", body);
    expect(r, ALMOST_2_31, 0x7fffff80, VERDICT_OK);
    expect(r, ALMOST_2_31, 0x7fffff7f, VERDICT_ULP);
    expect(r, PLUS_2_31, 0, VERDICT_INCONCLUSIVE);
    free_rig(r);
    r = make_module(ENV_VK, "", body);
    expect(r, TWO_AND_A_HALF, 2, VERDICT_OK);
    expect(r, TWO_AND_A_HALF, 5, VERDICT_ULP); /* in no order */
    expect(r, ALMOST_2_31, 0x7fffff80, VERDICT_INCONCLUSIVE);
    free_rig(r);
}

/* The simulated device counts what it executes, with both strategies and in both environments. */
static void the_simulated_device_counts(void **state)
{
    (void)state;
    uint32_t n_beyond = 0;
    for (size_t i = 0; i < ARRAY_N(edges) * ENV_N * SIM_STRATEGY_N; i++) {
        size_t const row = i / (ENV_N * SIM_STRATEGY_N);
        struct rig *r = make_module((enum env)(i % ENV_N), "",
                                    edges[row].is_signed ? "%i = OpConvertFToS %u32 %v\n"
                                                         : "%i = OpConvertFToU %u32 %v\n");
        struct fault_plan const honest = fault_plan_of(FAULT_NONE);
        struct sim_outcome outcome;
        struct err e;
        r->in[0] = edges[row].in;
        assert_int_equal(
            sim_run(&r->tc,
                    &(struct sim_device){(enum sim_strategy)(i / ENV_N % SIM_STRATEGY_N), 1,
                                         &honest, sim_facts(r->tc.env, 1, &r->a)},
                    &r->a, &r->ob, &outcome, &e),
            RES_OK);
        assert_int_equal(outcome.conversions.n, 1);
        assert_int_equal(outcome.conversions.n_out_of_range, !edges[row].is_in_range);
        n_beyond += (uint32_t)outcome.conversions.n_out_of_range;
        free_rig(r);
    }
    assert_true(n_beyond > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_edges_of_the_range),
        cmocka_unit_test(nothing_of_an_undefined_program_is_judged),
        cmocka_unit_test(a_conversion_that_is_not_executed),
        cmocka_unit_test(a_module_that_is_not_followed_to_its_end),
        cmocka_unit_test(an_operand_of_several_values),
        cmocka_unit_test(an_integer_by_way_of_a_float),
        cmocka_unit_test(an_operand_that_may_be_rearranged),
        cmocka_unit_test(the_simulated_device_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
