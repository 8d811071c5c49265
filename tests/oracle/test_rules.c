/* tests/oracle/test_rules.c -- from which version a rule of Vulkan binds, and what OpenCL's options take back. */
#include <math.h>
#include <stdio.h>

#include "tests/rig/expression_rig.h"

#define SZINP "OpExecutionMode %main SignedZeroInfNanPreserve 32\n"
#define KEEP  "OpExecutionMode %main DenormPreserve 32\n"
#define RTE   "OpExecutionMode %main RoundingModeRTE 32\n"
#define OFF   "OpExecutionMode %main ContractionOff\n"

/* An instruction, operands with a NaN, an infinity or a zero (of a dot product no NaN: V env precision, an
 * inherited result "if NaN is one of the permitted values" may be any), what is right, and what is wrong from `since`
 * on: just before that, a divergence. */
static void vulkan_binds_from_a_version(void **state)
{
    (void)state;
    COVERS(SZINP_LIST);
    static const struct {
        const char *body, *before, *since;
        uint32_t x0, x1, right, wrong;
        enum verdict_kind kind;
        enum clause_id clause;
    } rows[] = {
        {"%r = OpFDiv %f32 %x0 %x1\n",                                         "1.3.295", "1.3.296", PLUS_INF, TWO, PLUS_INF, ONE,
         VERDICT_ULP,                                                                                                                             CLAUSE_DIV_ULP       },
        {"%a = OpCompositeConstruct %v2 %x0 %x0\n%b = OpCompositeConstruct %v2 %x1 %x1\n"
         "%r = OpDot %f32 %a %b\n",                                   "1.4.303", "1.4.304", PLUS_INF, ONE, PLUS_INF, ONE,   VERDICT_ULP, CLAUSE_MATH_INHERITED},
        {"%c = OpFOrdLessThan %bool %x0 %x1\n%r = OpSelect %f32 %c %x2 %x3\n", "1.4.303", "1.4.304",
         QNAN,                                                                                                 ONE, THREE,    TWO,   VERDICT_ULP, CLAUSE_COMPARE       },
        {"%c = OpFUnordEqual %bool %x0 %x1\n%r = OpSelect %f32 %c %x2 %x3\n",  "1.4.303", "1.4.304",
         QNAN,                                                                                                 ONE, TWO,      THREE, VERDICT_ULP, CLAUSE_COMPARE       },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *const versions[] = {rows[i].before, rows[i].since, NULL};
        for (size_t k = 0; k < ARRAY_N(versions); k++) {
            struct program const p = {ENV_VK,       SZINP RTE KEEP, "OpDecorate %r NoContraction\n",
                                      rows[i].body, NULL,           versions[k]};
            struct program const plain = {ENV_VK,       SZINP RTE KEEP, "",
                                          rows[i].body, NULL,           versions[k]};
            int const is_arith = rows[i].clause == CLAUSE_DIV_ULP;
            struct rig *r = make_program(is_arith ? &p : &plain);
            r->in[0] = rows[i].x0;
            r->in[1] = rows[i].x1;
            r->in[2] = TWO;
            r->in[3] = THREE;
            expect_verdict_of(r, rows[i].body, rows[i].right, VERDICT_OK, CLAUSE_NONE);
            expect_verdict_of(r, rows[i].body, rows[i].wrong,
                              k == 0 ? VERDICT_DIVERGENCE : rows[i].kind,
                              k == 0 ? CLAUSE_SZINP_LIST : rows[i].clause);
            free_rig(r);
        }
    }
}

/* A word that still holds 0xa5a5a5a5. Where a clause fixes the value of x/y (V env, SignedZeroInfNanPreserve and a version that
 * lists division) its store never happened; where any value is a divergence, or is permitted, that content is one. */
static void what_a_word_held_before(void **state)
{
    (void)state;
    COVERS(EVERY_LANE);
    static const struct {
        const char *what, *modes, *version;
        uint32_t x0, x1, right;
        enum verdict_kind kind;
        enum clause_id clause;
    } rows[] = {
        {"infinity / 2, listed",     SZINP, "1.3.296", PLUS_INF, TWO, PLUS_INF, VERDICT_MASK,
         CLAUSE_EVERY_LANE                                                                                           },
        {"infinity / 2, not listed", SZINP, "1.3.295", PLUS_INF, TWO, PLUS_INF, VERDICT_DIVERGENCE,
         CLAUSE_SZINP_LIST                                                                                           },
        {"infinity / 2, no mode",    "",    "1.3.296", PLUS_INF, TWO, PLUS_INF, VERDICT_OK,         CLAUSE_NONE      },
        {"1 / 0, not listed",        SZINP, "1.3.295", ONE,      0,   PLUS_INF, VERDICT_DIVERGENCE,
         CLAUSE_DIV_ZERO                                                                                             },
        {"2 / 1, not listed",        SZINP, "1.3.295", TWO,      ONE, TWO,      VERDICT_MASK,       CLAUSE_EVERY_LANE},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {
            ENV_VK, rows[i].modes,  "OpDecorate %r NoContraction\n", "%r = OpFDiv %f32 %x0 %x1\n",
            NULL,   rows[i].version};
        struct rig *r = make_program(&p);
        r->in[0] = rows[i].x0;
        r->in[1] = rows[i].x1;
        expect_verdict_of(r, rows[i].what, rows[i].right, VERDICT_OK, CLAUSE_NONE);
        expect_verdict_of(r, rows[i].what, r->out[0], rows[i].kind, rows[i].clause);
        free_rig(r);
    }
}

/* DenormPreserve names products and sums from the beginning, quotients in no version. */
static void vulkan_keeps_subnormals_of_some(void **state)
{
    (void)state;
    COVERS(DENORM_PRESERVE);
    COVERS(DENORM_DEFAULT);
    static const struct {
        const char *body, *version;
        uint32_t x0, x1, kept;
        int may_flush;
    } rows[] = {
        {"%r = OpFMul %f32 %x0 %x1\n",              "1.1.95",  0x00800000, 0x3f000000,   0x00400000, 0},
        {"%r = OpFMul %f32 %x0 %x1\n",              "1.4.360", 0x00800000, 0x3f000000,   0x00400000, 0},
        {"%r = OpFDiv %f32 %x0 %x1\n",              "1.4.360", 0x00800000, 0x40000000,   0x00400000, 1},
        {"%r = OpExtInst %f32 %gl FAbs %x0\n",      "1.4.360", 0x80000001, 0,            1,          0},
        {"%r = OpExtInst %f32 %gl Ldexp %x0 %i1\n", "1.4.360", 0x00800000, (uint32_t)-1, 0x00400000,
         1                                                                                            },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {ENV_VK, SZINP RTE KEEP, "", rows[i].body, NULL, rows[i].version};
        struct rig *r = make_program(&p);
        r->in[0] = rows[i].x0;
        r->in[1] = rows[i].x1;
        expect_verdict_of(r, "kept", rows[i].kept, VERDICT_OK, CLAUSE_NONE);
        enum verdict_kind const want = rows[i].may_flush ? VERDICT_OK : VERDICT_ULP;
        r->out_after[0] = 0;
        if (judge_rig(r) != want) {
            fail_msg("row %zu: flushed: %s, want %s", i, verdict_rows[r->j.kind].name,
                     verdict_rows[want].name);
        }
        free_rig(r);
    }
}

#define SUMS  "%s = OpFAdd %f32 %x0 %x1\n%r = OpFSub %f32 %s %x2\n"
#define ADD   "%r = OpFAdd %f32 %x0 %x1\n"
#define MUL   "%r = OpFMul %f32 %x0 %x1\n"
#define CLAMP "%r = OpExtInst %f32 %gl fclamp %x0 %x1 %x2\n"
#define SINE  "%r = OpExtInst %f32 %gl sin %x0\n"
#define LENGTH                                                                                     \
    "%a = OpCompositeConstruct %v2 %x0 %x1\n%n = OpExtInst %v2 %gl normalize %a\n"                 \
    "%r = OpCompositeExtract %f32 %n 0\n"
#define OPERANDS(a, b, c)                                                                          \
    {                                                                                              \
        a, b, c                                                                                    \
    }

static const struct option_case {
    const char *option, *body;
    uint32_t x[3], right, freed, still;
    enum verdict_kind with;
    enum clause_id clause;
} option_cases[] = {
#define OPTION_CASE(option, body, operands, right, freed, still, with, clause)                     \
    {option, body, operands, right, freed, still, VERDICT_##with, CLAUSE_##clause},
#include "tests/oracle/option_cases.def"
};

/* One row of option.def each: what is a violation without the option, and is none with it; and what still
 * is one. 0 as `still`: nothing is. */
static void opencl_options(void **state)
{
    (void)state;
    COVERS(OPTION_EDGE);
    COVERS(OPTION_LOOSE);
    for (size_t i = 0; i < ARRAY_N(option_cases); i++) {
        const struct option_case *c = &option_cases[i];
        for (int has_option = 0; has_option < 2; has_option++) {
            struct program const p = {ENV_CL, OFF, "", c->body, has_option ? c->option : "", NULL};
            struct rig *r = make_program(&p);
            memcpy(r->in, c->x, sizeof c->x);
            expect_verdict_of(r, c->option, c->right, VERDICT_OK, CLAUSE_NONE);
            if (has_option) {
                expect_verdict_of(r, c->option, c->freed, c->with, c->clause);
            }
            r->out_after[0] = has_option ? c->still : c->freed;
            int const is_wrong = verdict_rows[judge_rig(r)].part == PART_VIOLATION;
            if (!is_wrong && (!has_option || c->still)) {
                fail_msg("row %zu%s: %08x: %s", i, has_option ? " with the option" : "",
                         r->out_after[0], verdict_rows[r->j.kind].name);
            }
            free_rig(r);
        }
    }
}

/* The options reach atomics: cl_ext_float_atomics, issue 5. */
static void options_reach_atomics(void **state)
{
    /* SHOWS(FA_OPTIONS_ADD) */
    (void)state;
    static const char body[] = "%a = OpAtomicFAddEXT %f32 %cell %c1 %c0 %x0\n"
                               "%b = OpAtomicFAddEXT %f32 %cell %c1 %c0 %x1\n"
                               "%r = OpFAdd %f32 %x0 %x0\n";
    static const struct {
        const char *options;
        enum verdict_kind kind;
    } rows[] = {
        {"",                              VERDICT_ULP       },
        {"-cl-unsafe-math-optimizations", VERDICT_DIVERGENCE},
        {"-cl-fast-relaxed-math",         VERDICT_DIVERGENCE},
        {"-cl-finite-math-only",          VERDICT_DIVERGENCE},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {ENV_CL, OFF, "", body, rows[i].options, NULL};
        struct rig *r = make_program(&p);
        r->cells[0] = bits_of(0x1p25f);
        r->in[0] = r->in[1] = bits_of(2); /* each alone is half an ulp: a tie to even */
        r->cells_after[0] = bits_of(0x1p25f);
        expect_verdict_of(r, "one by one", bits_of(4), VERDICT_OK, CLAUSE_NONE);
        r->cells_after[0] = bits_of(0x1p25f + 4);
        expect_verdict_of(r, "both at once", bits_of(4), rows[i].kind,
                          i == 0 ? CLAUSE_FADD_CR : CLAUSE_ARITH_CONTRACT);
        r->cells_after[0] = bits_of(0x1p25f + 32);
        expect_verdict_of(r, "more than all", bits_of(4), VERDICT_ULP, CLAUSE_FADD_CR);
        free_rig(r);
    }
}

/* What an atomic may leave with an option and may not without it: an edge of additions, minima and maxima. */
struct atomic_edge {
    const char *what, *op, *option;
    uint32_t cell, operand, right, freed;
    enum verdict_kind kind; /* of what the option permits, without it */
    enum clause_id clause;
};

static void check_atomic_edges(const struct atomic_edge *edges, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct atomic_edge *e = &edges[i];
        char body[256];
        (void)snprintf(body, sizeof body,
                       "%%a = %s %%f32 %%cell %%c1 %%c0 %%x0\n%%r = OpFAdd %%f32 %%x1 %%x1\n",
                       e->op);
        for (int has_option = 0; has_option < 2; has_option++) {
            struct program const p = {ENV_CL, OFF, "", body, has_option ? e->option : "", NULL};
            struct rig *r = make_program(&p);
            r->cells[0] = e->cell;
            r->in[0] = e->operand;
            r->in[1] = ONE;
            r->cells_after[0] = e->right;
            expect_verdict_of(r, e->what, TWO, VERDICT_OK, CLAUSE_NONE);
            r->cells_after[0] = e->freed;
            expect_verdict_of(r, e->what, TWO, has_option ? VERDICT_OK : e->kind,
                              has_option ? CLAUSE_NONE : e->clause);
            free_rig(r);
        }
    }
}

#define NO_SIGNS  "-cl-no-signed-zeros"
#define NO_TINY   "-cl-denorms-are-zero"
#define NO_NANS   "-cl-finite-math-only"
#define MINUS_ONE 0xbf800000
#define MINUS_0   0x80000000

static void options_reach_additions(void **state)
{
    /* SHOWS(FA_OPTIONS_ADD) */
    (void)state;
    static const struct atomic_edge edges[] = {
        {"1 + -1 is -0",     "OpAtomicFAddEXT", NO_SIGNS, ONE,  MINUS_ONE, 0,    MINUS_0, VERDICT_ZERO_SIGN,
         CLAUSE_FADD_CR                                                                                                    },
        {"tiny + tiny is 0", "OpAtomicFAddEXT", NO_TINY,  1,    1,         2,    0,       VERDICT_ULP,       CLAUSE_FADD_CR},
        {"NaN + 1 is 1",     "OpAtomicFAddEXT", NO_NANS,  QNAN, ONE,       QNAN, ONE,     VERDICT_NAN_RULE,
         CLAUSE_FADD_CR                                                                                                    },
    };
    check_atomic_edges(edges, ARRAY_N(edges));
}

static void options_reach_minima(void **state)
{
    /* SHOWS(FA_OPTIONS_MM) */
    (void)state;
    static const struct atomic_edge edges[] = {
        {"min(0, 0) is -0",    "OpAtomicFMinEXT", NO_SIGNS, 0,    0,         0,   MINUS_0, VERDICT_ZERO_SIGN,
         CLAUSE_FMIN_NAN},
        {"max(0, 0) is -0",    "OpAtomicFMaxEXT", NO_SIGNS, 0,    0,         0,   MINUS_0, VERDICT_ZERO_SIGN,
         CLAUSE_FMIN_NAN},
        {"min(tiny, 1) is 0",  "OpAtomicFMinEXT", NO_TINY,  1,    ONE,       1,   0,       VERDICT_ULP,
         CLAUSE_FMIN_NAN},
        {"max(tiny, -1) is 0", "OpAtomicFMaxEXT", NO_TINY,  1,    MINUS_ONE, 1,   0,       VERDICT_ULP,
         CLAUSE_FMIN_NAN},
        {"min(NaN, 1) is NaN", "OpAtomicFMinEXT", NO_NANS,  QNAN, ONE,       ONE, QNAN,    VERDICT_NAN_RULE,
         CLAUSE_FMIN_NAN},
        {"max(NaN, 1) is NaN", "OpAtomicFMaxEXT", NO_NANS,  QNAN, ONE,       ONE, QNAN,    VERDICT_NAN_RULE,
         CLAUSE_FMIN_NAN},
    };
    check_atomic_edges(edges, ARRAY_N(edges));
}

/* --- 64 bits in Vulkan --- */

#define BUFFER(name, binding)                                                                      \
    "OpDecorate " name " DescriptorSet 0\nOpDecorate " name " Binding " binding "\n"

static const char sum_of_doubles[] =
    "OpCapability Shader\nOpCapability Float64\n%gl = OpExtInstImport \"GLSL.std.450\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"k\"\n"
    "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a ArrayStride 8\nOpDecorate %s Block\n"
    "OpMemberDecorate %s 0 Offset 0\n" BUFFER("%in", "1") BUFFER(
        "%out",
        "2") "OpDecorate %r NoContraction\n"
             "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%f64 = OpTypeFloat 64\n%a = "
             "OpTypeRuntimeArray %f64\n"
             "%s = OpTypeStruct %a\n%ps = OpTypePointer StorageBuffer %s\n"
             "%pd = OpTypePointer StorageBuffer %f64\n%fn = OpTypeFunction %void\n"
             "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%in = OpVariable %ps "
             "StorageBuffer\n"
             "%out = OpVariable %ps StorageBuffer\n%main = OpFunction %void None %fn\n%entry = "
             "OpLabel\n"
             "%p0 = OpAccessChain %pd %in %c0 %c0\n%x0 = OpLoad %f64 %p0\n"
             "%p1 = OpAccessChain %pd %in %c0 %c1\n%x1 = OpLoad %f64 %p1\n"
             "%pout = OpAccessChain %pd %out %c0 %c0\n%r = OpFAdd %f64 %x0 %x1\nOpStore %pout %r\n"
             "OpReturn\nOpFunctionEnd\n";

/* A result as good as one of 32 bits is unusual; a worse one breaks the rule that 64 bits are at least as good. */
static void doubles_are_at_least_as_precise(void **state)
{
    (void)state;
    COVERS(FADD_F64);
    static const struct {
        double got;
        enum verdict_kind kind;
        enum clause_id clause;
    } rows[] = {
        {1 + 0x1p-30, VERDICT_OK,         CLAUSE_NONE    },
        {1,           VERDICT_DIVERGENCE, CLAUSE_FADD_F64},
        {1 + 0x1p-22, VERDICT_ULP,        CLAUSE_ARITH_CR},
    };
    struct rig *r = make_rig(ENV_VK, 1);
    double const operands[2] = {1, 0x1p-30};
    assemble(r, sum_of_doubles, SPV_ENV_UNIVERSAL_1_3);
    memcpy(r->in, operands, sizeof operands);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        memcpy(r->out_after, &rows[i].got, sizeof rows[i].got);
        enum verdict_kind const is = judge_rig(r);
        assert_int_equal(is, rows[i].kind);
        assert_int_equal(r->j.n_findings ? r->j.findings[0].clause : CLAUSE_NONE, rows[i].clause);
    }
    free_rig(r);
}

/* 2048 + 3 in half, exactly 2051, is 2052 to nearest and even, and 2050 toward zero. 2^24 + 1 in single is 2^24 either way, 2^24 +
 * 3 is 2^24 + 4 or 2^24 + 2. OpenCL API, CL_DEVICE_HALF_FP_CONFIG: one of the two; CL_DEVICE_SINGLE_FP_CONFIG: to nearest, but in
 * the embedded profile one of the two. */
static void opencl_rounds_as_the_facts_say(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    static const char half[] = "%h0 = OpFConvert %f16 %x0\n%h1 = OpFConvert %f16 %x1\n"
                               "%h = OpFAdd %f16 %h0 %h1\n%r = OpFConvert %f32 %h\n";
    static const char single[] = "%r = OpFAdd %f32 %x0 %x1\n";
    static const struct {
        const char *body, *facts;
        float x0, even, zero;
        bool has_even, has_zero;
    } rows[] = {
        {half,   "",                                                  2048,    2052,        2050,        true,  true },
        {half,   "cl.fp32_config=0x3f\n",                             2048,    2052,        2050,        true,  true },
        {half,   "cl.fp16_config=0x3f\n",                             2048,    2052,        2050,        true,  false},
        {half,   "cl.fp16_config=0x6\n",                              2048,    2052,        2050,        true,  false},
        {half,   "cl.fp16_config=0xa\n",                              2048,    2052,        2050,        false, true },
        {single, "",                                                  0x1p24f, 0x1p24f + 4, 0x1p24f + 2, true,  false},
        {single, "cl.profile=FULL_PROFILE\n",                         0x1p24f, 0x1p24f + 4, 0x1p24f + 2, true,  false},
        {single, "cl.profile=EMBEDDED_PROFILE\n",                     0x1p24f, 0x1p24f + 4, 0x1p24f + 2, true,  true },
        {single, "cl.profile=EMBEDDED_PROFILE\ncl.fp32_config=0x8\n", 0x1p24f, 0x1p24f + 4,
         0x1p24f + 2,                                                                                    false, true },
        {single, "cl.profile=EMBEDDED_PROFILE\ncl.fp32_config=0x4\n", 0x1p24f, 0x1p24f + 4,
         0x1p24f + 2,                                                                                    true,  false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {ENV_CL, OFF, "", rows[i].body, NULL, NULL};
        float const got[] = {rows[i].even, rows[i].zero, rows[i].even + 2, rows[i].zero - 2};
        bool const is_right[] = {rows[i].has_even, rows[i].has_zero, false, false};
        struct rig *r = make_program(&p);
        r->ob.facts = rows[i].facts;
        r->in[0] = bits_of(rows[i].x0);
        r->in[1] = bits_of(3);
        for (size_t k = 0; k < ARRAY_N(got); k++) {
            r->out_after[0] = bits_of(got[k]);
            enum verdict_kind const is = judge_rig(r);
            if (is != (is_right[k] ? VERDICT_OK : VERDICT_ULP)) {
                fail_msg("row %zu: %g is %s", i, (double)got[k], verdict_rows[is].name);
            }
        }
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vulkan_binds_from_a_version),
        cmocka_unit_test(what_a_word_held_before),
        cmocka_unit_test(vulkan_keeps_subnormals_of_some),
        cmocka_unit_test(opencl_options),
        cmocka_unit_test(doubles_are_at_least_as_precise),
        cmocka_unit_test(options_reach_atomics),
        cmocka_unit_test(options_reach_additions),
        cmocka_unit_test(options_reach_minima),
        cmocka_unit_test(opencl_rounds_as_the_facts_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
