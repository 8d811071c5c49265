/* tests/oracle/test_judge_math.c -- mathematical instructions and max-error decorations, judged in whole modules
 * against the host's long double and values worked by hand. */
#include <math.h>
#include <stdio.h>

#include "base/spv.h"
#include "tests/rig/judge_rig.h"

enum {
    N_SLOTS = 4
};

static const char math_head[] = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
                                "%cl = OpExtInstImport \"OpenCL.std\"\n"
                                "OpMemoryModel Physical64 OpenCL\n"
                                "OpEntryPoint Kernel %main \"k\"\n"
                                "OpExecutionMode %main ContractionOff\n";
static const char math_types[] =
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"
    "%v2 = OpTypeVector %f32 2\n%v4 = OpTypeVector %f32 4\n"
    "%pu = OpTypePointer CrossWorkgroup %u32\n%pf = OpTypePointer Function %f32\n"
    "%p2 = OpTypePointer Function %v2\n%pi = OpTypePointer Function %u32\n"
    "%fn = OpTypeFunction %void %pu %pu %pu\n%ff = OpTypeFunction %f32 %f32\n"
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c2 = OpConstant %u32 2\n"
    "%c3 = OpConstant %u32 3\n";
static const char math_start[] =
    "%main = OpFunction %void None %fn\n%cells = OpFunctionParameter %pu\n"
    "%in = OpFunctionParameter %pu\n%out = OpFunctionParameter %pu\n%entry = OpLabel\n";

/* Loads of %x0 to %x3, stores of %r0 up to n of them. */
static const char *math_loads(struct arena *a)
{
    const char *text = "";
    for (int i = 0; i < N_SLOTS; i++) {
        text = arena_printf(a,
                            "%s%%pin%d = OpInBoundsPtrAccessChain %%pu %%in %%c%d\n"
                            "%%i%d = OpLoad %%u32 %%pin%d\n%%x%d = OpBitcast %%f32 %%i%d\n",
                            text, i, i, i, i, i, i);
    }
    return text;
}

static const char *math_stores(struct arena *a, int n)
{
    const char *text = "";
    for (int i = 0; i < n; i++) {
        text = arena_printf(a,
                            "%s%%pout%d = OpInBoundsPtrAccessChain %%pu %%out %%c%d\n"
                            "%%b%d = OpBitcast %%u32 %%r%d\nOpStore %%pout%d %%b%d\n",
                            text, i, i, i, i, i, i);
    }
    return text;
}

/* A kernel of one invocation: vars in front, body between loads and stores. */
static struct rig *make_math(const char *decorations, const char *functions, const char *vars,
                             const char *body, int n_results)
{
    struct rig *r = make_rig(ENV_CL, 1);
    assemble(r,
             arena_printf(&r->a, "%s%s%s%s%s%s%s%s%sOpReturn\nOpFunctionEnd\n", math_head,
                          decorations, math_types, functions, math_start, vars, math_loads(&r->a),
                          body, math_stores(&r->a, n_results)),
             SPV_ENV_UNIVERSAL_1_3);
    return r;
}

/* What the device left in the first slots, judged. */
static void expect(struct rig *r, const char *what, enum verdict_kind kind, enum clause_id clause)
{
    enum verdict_kind const got = judge_rig(r);
    if (got != kind || (kind != VERDICT_OK && r->j.findings[0].clause != clause)) {
        fail_msg("%s: %08x gave %08x: %s %s, want %s %s: %s", what, r->in[0], r->out_after[0],
                 verdict_rows[got].name,
                 r->j.n_findings ? clause_rows[r->j.findings[0].clause].id : "-",
                 verdict_rows[kind].name, clause_rows[clause].id,
                 r->j.n_findings ? r->j.findings[0].text : r->j.note);
    }
    assert_true(r->j.n_judged > 0);
}

static void expect_at(struct rig *r, const char *what, uint32_t value, enum verdict_kind kind,
                      enum clause_id clause)
{
    r->out_after[0] = value;
    expect(r, what, kind, clause);
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t exp_of(uint32_t x)
{
    return bits_of((float)expl((long double)float_of(x)));
}

/* Error of the nearest float to exp(x), in ulps of a result that is no power of two. */
static double exp_error(uint32_t x)
{
    long double const exact = expl((long double)float_of(x));
    float const near = float_of(exp_of(x));
    int e;
    (void)frexpl(exact, &e);
    return (double)ldexpl((long double)near - exact, 24 - e);
}

static void exp_keeps_three_ulps(void **state)
{
    (void)state;
    COVERS(MATH_ULP);
    struct rig *r = make_math("", "", "", "%r0 = OpExtInst %f32 %cl exp %x0\n", 1);
    static const float xs[] = {0.3f, 1.7f, -2.6f, 20.1f, -50.3f};
    for (size_t i = 0; i < ARRAY_N(xs); i++) {
        r->in[0] = bits_of(xs[i]);
        uint32_t const e = exp_of(r->in[0]);
        expect_at(r, "exact", e, VERDICT_OK, CLAUSE_NONE);
        expect_at(r, "2 above", e + 2, VERDICT_OK, CLAUSE_NONE);
        expect_at(r, "2 below", e - 2, VERDICT_OK, CLAUSE_NONE);
        expect_at(r, "4 above", e + 4, VERDICT_ULP, CLAUSE_MATH_ULP);
        assert_non_null(strstr(r->j.findings[0].text, "bound 3 ulp, error +"));
        assert_string_equal(op_rows[r->j.findings[0].op].name, "exp");
        assert_int_equal(r->j.findings[0].n_operands, 1);
        assert_int_equal(r->j.findings[0].operand[0], r->in[0]);
        expect_at(r, "4 below", e - 4, VERDICT_ULP, CLAUSE_MATH_ULP);
        expect_at(r, "NaN", QNAN, VERDICT_NAN_RULE, CLAUSE_MATH_ULP);
    }
    free_rig(r);
}

static void a_decoration_replaces_the_bound(void **state)
{
    /* SHOWS(ME_REPLACES, ME_TIGHTENS, ME_LOOSENS) */
    (void)state;
    COVERS(MAX_ERROR);
    static const struct {
        const char *decoration;
        uint32_t inside, outside;
    } rows[] = {
        {"OpDecorate %r0 !6170 !0x3f800000\n", 0,  2 }, /* 1 */
        {"OpDecorate %r0 !6170 !0x3f000000\n", 0,  1 }, /* 0.5 */
        {"OpDecorate %r0 !6170 !0x41800000\n", 15, 17}, /* 16 */
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r =
            make_math(rows[i].decoration, "", "", "%r0 = OpExtInst %f32 %cl exp %x0\n", 1);
        r->in[0] = bits_of(1.7f);
        uint32_t const e = exp_of(r->in[0]);
        expect_at(r, "inside", e + rows[i].inside, VERDICT_OK, CLAUSE_NONE);
        expect_at(r, "outside", e + rows[i].outside, VERDICT_ULP, CLAUSE_MAX_ERROR);
        assert_non_null(strstr(r->j.findings[0].text, "by the decoration"));
        free_rig(r);
    }
}

/* The same operation with two bounds: each result is held to its own. */
static void each_result_has_its_own_bound(void **state)
{
    /* SHOWS(ME_LARGEST) */
    (void)state;
    struct rig *r = make_math("OpDecorate %r0 !6170 !0x3f800000\n"
                              "OpDecorate %r1 !6170 !0x41800000\n",
                              "", "",
                              "%r0 = OpExtInst %f32 %cl exp %x0\n"
                              "%r1 = OpExtInst %f32 %cl exp %x0\n",
                              2);
    r->in[0] = bits_of(1.7f);
    uint32_t const e = exp_of(r->in[0]);
    r->out_after[1] = e + 10;
    expect_at(r, "each in its bound", e, VERDICT_OK, CLAUSE_NONE);
    r->out_after[1] = e;
    expect_at(r, "the tight one at the loose one's bound", e + 10, VERDICT_ULP, CLAUSE_MAX_ERROR);
    free_rig(r);
}

static void a_bound_that_no_encoding_meets(void **state)
{
    /* SHOWS(ME_TIGHTENS) */
    (void)state;
    COVERS(MAX_ERROR_UNSATISFIABLE);
    struct rig *r = make_math("OpDecorate %r0 !6170 !0x3e800000\n", "", "",
                              "%r0 = OpExtInst %f32 %cl exp %x0\n", 1);
    size_t n_met = 0, n_not = 0;
    for (uint32_t x = bits_of(1.1f); n_met + n_not < 40; x += 977) {
        double const error = fabs(exp_error(x));
        uint32_t const e = exp_of(x);
        r->in[0] = x;
        if (error > 0.26 && error < 0.49) {
            n_not++;
            expect_at(r, "nearest", e, VERDICT_DIVERGENCE, CLAUSE_MAX_ERROR_UNSATISFIABLE);
            expect_at(r, "two off", e + 2, VERDICT_ULP, CLAUSE_MAX_ERROR);
        } else if (error < 0.24) {
            n_met++;
            expect_at(r, "within a quarter", e, VERDICT_OK, CLAUSE_NONE);
            expect_at(r, "one off", e + 1, VERDICT_ULP, CLAUSE_MAX_ERROR);
        }
    }
    assert_true(n_met > 0 && n_not > 0);
    free_rig(r);
}

/* A client's list says which bounds are valid: a refusal of another one is its right, of one in the list not. */
static void a_bound_that_the_target_does_not_list(void **state)
{
    /* SHOWS(ME_LIST, ME_LIST_OPS) */
    (void)state;
    COVERS(MAX_ERROR_LIST);
    COVERS(MUST_ACCEPT);
    static const char list[] = "target.max_error_least=1\ntarget.max_error_any=sqrt\n";
    static const char bound[] = "error: max-error of 0.5 is not supported\n";
    static const char other[] = "Symbols not found: [ _Z3expf ]\n";
    static const struct {
        const char *literal, *op, *facts, *log;
        enum verdict_kind kind;
        enum clause_id clause;
    } rows[] = {
        {"0x3f000000", "exp",  list, "",    VERDICT_DIVERGENCE, CLAUSE_MAX_ERROR_LIST},
        {"0x3f7fffff", "exp",  list, "",    VERDICT_DIVERGENCE, CLAUSE_MAX_ERROR_LIST},
        {"0x3f800000", "exp",  list, "",    VERDICT_REJECT,     CLAUSE_MUST_ACCEPT   },
        {"0x3f000000", "sqrt", list, "",    VERDICT_REJECT,     CLAUSE_MUST_ACCEPT   },
        {"0x3f000000", "exp",  "",   "",    VERDICT_REJECT,     CLAUSE_MUST_ACCEPT   },
        {"0x3f000000", "exp",  list, bound, VERDICT_DIVERGENCE, CLAUSE_MAX_ERROR_LIST},
        {"0x3f800000", "exp",  list, bound, VERDICT_REJECT,     CLAUSE_MUST_ACCEPT   },
        {"0x3f000000", "exp",  list, other, VERDICT_REJECT,
         CLAUSE_MUST_ACCEPT                                                          }, /* not for its bound */
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        char decoration[64];
        char code[64];
        (void)snprintf(decoration, sizeof decoration, "OpDecorate %%r0 !6170 !%s\n",
                       rows[i].literal);
        (void)snprintf(code, sizeof code, "%%r0 = OpExtInst %%f32 %%cl %s %%x0\n", rows[i].op);
        struct rig *r = make_math(decoration, "", "", code, 1);
        r->ob.status = RUN_REJECT;
        r->ob.facts = rows[i].facts;
        r->ob.log = rows[i].log;
        assert_int_equal(judge_rig(r), rows[i].kind);
        assert_int_equal(r->j.n_findings, 1);
        assert_int_equal(r->j.findings[0].clause, rows[i].clause);
        free_rig(r);
    }
}

static void decorated_addition(void **state)
{
    (void)state;
    struct rig *r =
        make_math("OpDecorate %r0 !6170 !0x40000000\n", "", "", "%r0 = OpFAdd %f32 %x0 %x1\n", 1);
    r->in[0] = bits_of(1.25f);
    r->in[1] = bits_of(1e-9f);
    expect_at(r, "rounded", r->in[0], VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "one off", r->in[0] + 1, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "three off", r->in[0] + 3, VERDICT_ULP, CLAUSE_MAX_ERROR);
    free_rig(r);
}

/* Programs that hand %x0 on to %r0. */
static const char propagating_function[] =
    "%f = OpFunction %f32 None %ff\n%p = OpFunctionParameter %f32\n%le = OpLabel\n"
    "OpReturnValue %p\nOpFunctionEnd\n";
static const char propagating_parameter[] =
    "%f = OpFunction %f32 None %ff\n%r9 = OpFunctionParameter %f32\n"
    "%le = OpLabel\nOpReturnValue %r9\nOpFunctionEnd\n";
static const struct {
    const char *functions, *vars, *body;
    enum clause_id exact; /* the clause without the decoration */
    uint32_t op;          /* of the decorated instruction */
    const char *id;       /* its result, if not %r0 */
} propagation_rows[] = {
    {"%bool = OpTypeBool\n",                             "",                               "%t = OpINotEqual %bool %i1 %c0\n%r0 = OpSelect %f32 %t %x0 %x2\n",
     CLAUSE_SELECT,                                                                                                                                                                                SpvOpSelect,               NULL },
    {"%bool = OpTypeBool\n",                             "",
     "%t = OpINotEqual %bool %i1 %c0\nOpSelectionMerge %m None\n"
     "OpBranchConditional %t %l %m\n%l = OpLabel\nOpBranch %m\n%m = OpLabel\n"
     "%r0 = OpPhi %f32 %x0 %l %x2 %entry\n",                                                                                                                                    CLAUSE_COPY_EXACT, SpvOpPhi,                  NULL },
    {propagating_function,                               "",                               "%r0 = OpFunctionCall %f32 %f %x0\n",                                                CLAUSE_COPY_EXACT,
     SpvOpFunctionCall,                                                                                                                                                                                                       NULL },
    {"",                                                 "%v = OpVariable %pf Function\n", "OpStore %v %x0\n%r0 = OpLoad %f32 %v\n",
     CLAUSE_COPY_EXACT,                                                                                                                                                                            SpvOpLoad,                 NULL },
    {propagating_parameter,                              "",                               "%r0 = OpFunctionCall %f32 %f %x0\n",                                                CLAUSE_COPY_EXACT,
     SpvOpFunctionParameter,                                                                                                                                                                                                  "%r9"},
    {"",                                                 "",                               "%r0 = OpBitcast %f32 %i0\n",                                                        CLAUSE_COPY_EXACT, SpvOpBitcast,              NULL },
    {"",                                                 "",                               "%r0 = OpCopyObject %f32 %x0\n",                                                     CLAUSE_COPY_EXACT, SpvOpCopyObject,           NULL },
    {"",                                                 "",                               "%r9 = OpCompositeConstruct %v2 %x0 %x2\n%r0 = OpCompositeExtract %f32 %r9 0\n",
     CLAUSE_COPY_EXACT,                                                                                                                                                                            SpvOpCompositeConstruct,   "%r9"},
    {"",                                                 "",                               "%r9 = OpCompositeConstruct %v2 %x2 %x0\n%r0 = OpCompositeExtract %f32 %r9 1\n",
     CLAUSE_COPY_EXACT,                                                                                                                                                                            SpvOpCompositeExtract,     NULL },
    {"",                                                 "",
     "%v = OpCompositeConstruct %v2 %x2 %x2\n%r9 = OpCompositeInsert %v2 %x0 %v 1\n"
     "%r0 = OpCompositeExtract %f32 %r9 1\n",                                                                                                                                   CLAUSE_COPY_EXACT, SpvOpCompositeInsert,      "%r9"},
    {"",                                                 "",
     "%v = OpCompositeConstruct %v2 %x2 %x0\n%r9 = OpVectorShuffle %v2 %v %v 1 2\n"
     "%r0 = OpCompositeExtract %f32 %r9 0\n",                                                                                                                                   CLAUSE_COPY_EXACT, SpvOpVectorShuffle,        "%r9"},
    {"",                                                 "",                               "%v = OpCompositeConstruct %v2 %x2 %x0\n%r0 = OpVectorExtractDynamic %f32 %v %c1\n",
     CLAUSE_COPY_EXACT,                                                                                                                                                                            SpvOpVectorExtractDynamic, NULL },
    {"",                                                 "",
     "%v = OpCompositeConstruct %v2 %x2 %x2\n%r9 = OpVectorInsertDynamic %v2 %v %x0 %c1\n"
     "%r0 = OpCompositeExtract %f32 %r9 1\n",                                                                                                                                   CLAUSE_COPY_EXACT, SpvOpVectorInsertDynamic,  "%r9"},
    {"%bool = OpTypeBool\n%b2 = OpTypeVector %bool 2\n", "",
     "%t = OpINotEqual %bool %i1 %c0\n%n = OpIEqual %bool %i1 %c0\n"
     "%tn = OpCompositeConstruct %b2 %n %t\n%v = OpCompositeConstruct %v2 %x2 %x0\n"
     "%w = OpCompositeConstruct %v2 %x0 %x2\n%r9 = OpSelect %v2 %tn %v %w\n"
     "%r0 = OpCompositeExtract %f32 %r9 1\n",                                                                                                                                   CLAUSE_COPY_EXACT, SpvOpSelect,               "%r9"},
    {"%bool = OpTypeBool\n",                             "",
     "%v = OpCompositeConstruct %v2 %x2 %x0\n%w = OpCompositeConstruct %v2 %x0 %x2\n"
     "%t = OpINotEqual %bool %i1 %c0\nOpSelectionMerge %m None\n"
     "OpBranchConditional %t %l %m\n%l = OpLabel\nOpBranch %m\n%m = OpLabel\n"
     "%r9 = OpPhi %v2 %v %l %w %entry\n%r0 = OpCompositeExtract %f32 %r9 1\n",                                                                                                  CLAUSE_COPY_EXACT, SpvOpPhi,                  "%r9"},
};

/* The decoration may stand on any instruction of floating-point type. One that hands a value on is exact by itself;
 * its result may then be off by the bound, as "it overrides the accuracy": of 3 by 4 ulps of 2^-22; of 1 by ulps of
 * 2^-24, the distance of the two numbers nearest to it. */
static void decorated_values_that_are_handed_on(void **state)
{
    /* SHOWS(ME_HANDED_ON, ME_SHUFFLES, ME_ULP, ME_SPECIAL) */
    (void)state;
    COVERS(MAX_ERROR);
    COVERS(SELECT);
    COVERS(COPY_EXACT);
    for (size_t i = 0; i < ARRAY_N(propagation_rows); i++) {
        for (int is_decorated = 0; is_decorated < 2; is_decorated++) {
            char decoration[64] = "";
            if (is_decorated) {
                (void)snprintf(decoration, sizeof decoration, "OpDecorate %s !6170 !0x40800000\n",
                               propagation_rows[i].id ? propagation_rows[i].id : "%r0");
            }
            struct rig *r = make_math(decoration, propagation_rows[i].functions,
                                      propagation_rows[i].vars, propagation_rows[i].body, 1);
            uint32_t const three = bits_of(3.0f);
            uint32_t const one = bits_of(1.0f);
            enum verdict_kind const near = is_decorated ? VERDICT_OK : VERDICT_ULP;
            r->in[1] = 1;
            r->in[2] = bits_of(7.0f);
            r->in[0] = three;
            expect_at(r, "exact", three, VERDICT_OK, CLAUSE_NONE);
            if (!is_decorated) {
                r->out_after[0] = three + 4;
                assert_int_equal(verdict_rows[judge_rig(r)].part, PART_VIOLATION);
                if (r->j.findings[0].clause != propagation_rows[i].exact) {
                    fail_msg("%s: %s", propagation_rows[i].body,
                             clause_rows[r->j.findings[0].clause].id);
                }
                free_rig(r);
                continue;
            }
            expect_at(r, "four above", three + 4, near, CLAUSE_NONE);
            expect_at(r, "four below", three - 4, near, CLAUSE_NONE);
            expect_at(r, "five above", three + 5, VERDICT_ULP, CLAUSE_MAX_ERROR);
            expect_at(r, "five below", three - 5, VERDICT_ULP, CLAUSE_MAX_ERROR);
            assert_int_equal(r->tc.module[r->j.findings[0].offset] & SpvOpCodeMask,
                             propagation_rows[i].op);
            r->in[0] = one;
            expect_at(r, "two of 2^-23 above", one + 2, near, CLAUSE_NONE);
            expect_at(r, "three of 2^-23 above", one + 3, VERDICT_ULP, CLAUSE_MAX_ERROR);
            expect_at(r, "four of 2^-24 below", one - 4, near, CLAUSE_NONE);
            expect_at(r, "five of 2^-24 below", one - 5, VERDICT_ULP, CLAUSE_MAX_ERROR);
            r->in[0] = 0x7f800000;
            expect_at(r, "an infinity", 0x7f800000, VERDICT_OK, CLAUSE_NONE);
            expect_at(r, "for an infinity", 0x7f7fffff, VERDICT_ULP, CLAUSE_MAX_ERROR);
            r->in[0] = 0x7fc00001;
            expect_at(r, "a NaN", 0x7fc00001, VERDICT_OK, CLAUSE_NONE);
            expect_at(r, "for a NaN", three, VERDICT_NAN_RULE, CLAUSE_MAX_ERROR);
            free_rig(r);
        }
    }
}

/* What is handed on may itself be a set: the bounds of a function and of its call add up. */
static void bounds_of_a_call_add_up(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    struct rig *r = make_math(
        "OpDecorate %s !6170 !0x40000000\nOpDecorate %r0 !6170 !0x40400000\n", /* 2 and 3 */
        "%f = OpFunction %f32 None %ff\n%p = OpFunctionParameter %f32\n%le = OpLabel\n"
        "%s = OpFNegate %f32 %p\nOpReturnValue %s\nOpFunctionEnd\n",
        "", "%r0 = OpFunctionCall %f32 %f %x0\n", 1);
    r->in[0] = bits_of(3.0f);
    expect_at(r, "exact", bits_of(-3.0f), VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "five off", bits_of(-3.0f) + 5, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "five off, below", bits_of(-3.0f) - 5, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "six off", bits_of(-3.0f) + 6, VERDICT_ULP, CLAUSE_MAX_ERROR);
    free_rig(r);
}

static void decorated_product_of_vector_and_scalar(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    COVERS(ARITH_CR);
    for (int is_decorated = 0; is_decorated < 2; is_decorated++) {
        struct rig *r = make_math(is_decorated ? "OpDecorate %v !6170 !0x40800000\n" : "", "", "",
                                  "%a = OpCompositeConstruct %v2 %x0 %x1\n"
                                  "%v = OpVectorTimesScalar %v2 %a %x2\n"
                                  "%r0 = OpCompositeExtract %f32 %v 0\n"
                                  "%r1 = OpCompositeExtract %f32 %v 1\n",
                                  2);
        r->in[0] = bits_of(1.5f);
        r->in[1] = bits_of(2.5f);
        r->in[2] = bits_of(2.5f);
        r->out_after[1] = bits_of(6.25f);
        uint32_t const exact = bits_of(3.75f);
        expect_at(r, "exact", exact, VERDICT_OK, CLAUSE_NONE);
        if (is_decorated) {
            expect_at(r, "four off", exact + 4, VERDICT_OK, CLAUSE_NONE);
            expect_at(r, "five off", exact + 5, VERDICT_ULP, CLAUSE_MAX_ERROR);
        } else {
            expect_at(r, "one off", exact + 1, VERDICT_ULP, CLAUSE_ARITH_CR);
        }
        free_rig(r);
    }
}

/* Values that C99 F.9 and OpenCL C prescribe. */
static void special_values(void **state)
{
    (void)state;
    COVERS(MATH_SPECIAL);
    static const struct {
        const char *body;
        uint32_t x, y, right, wrong;
        enum verdict_kind want;
    } rows[] = {
        {"sin %x0",       MINUS_ZERO, 0,          MINUS_ZERO, 0,          VERDICT_ZERO_SIGN},
        {"ceil %x0",      0xbf000000, 0,          MINUS_ZERO, 0,          VERDICT_ZERO_SIGN},
        {"log %x0",       0xbf800000, 0,          QNAN,       ONE,        VERDICT_NAN_RULE },
        {"sqrt %x0",      0xbf800000, 0,          QNAN,       ONE,        VERDICT_NAN_RULE },
        {"acos %x0",      TWO,        0,          QNAN,       0,          VERDICT_NAN_RULE },
        {"exp %x0",       0xff800000, 0,          0,          QNAN,       VERDICT_NAN_RULE },
        {"pow %x0 %x1",   ONE,        QNAN,       ONE,        QNAN,       VERDICT_NAN_RULE },
        {"pow %x0 %x1",   QNAN,       0,          ONE,        QNAN,       VERDICT_NAN_RULE },
        {"powr %x0 %x1",  ONE,        PLUS_INF,   QNAN,       ONE,        VERDICT_NAN_RULE },
        {"hypot %x0 %x1", PLUS_INF,   QNAN,       PLUS_INF,   QNAN,       VERDICT_NAN_RULE },
        {"fmin %x0 %x1",  QNAN,       ONE,        ONE,        QNAN,       VERDICT_NAN_RULE },
        {"fmax %x0 %x1",  ONE,        TWO,        TWO,        ONE,        VERDICT_ULP      },
        {"atan2 %x0 %x1", 0,          MINUS_ZERO, 0x40490fdb, 0,          VERDICT_ULP      },
        {"fmod %x0 %x1",  0x40b00000, TWO,        0x3fc00000, 0xbf000000, VERDICT_ULP      },
        {"rint %x0",      0x40200000, 0,          TWO,        THREE,      VERDICT_ULP      },
        {"round %x0",     0x40200000, 0,          THREE,      TWO,        VERDICT_ULP      },
        {"trunc %x0",     0xbfc00000, 0,          0xbf800000, 0xc0000000, VERDICT_ULP      },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        arena_init(&a, 1 << 16);
        struct rig *r = make_math(
            "", "", "", arena_printf(&a, "%%r0 = OpExtInst %%f32 %%cl %s\n", rows[i].body), 1);
        r->in[0] = rows[i].x;
        r->in[1] = rows[i].y;
        r->out_after[0] = rows[i].right;
        assert_int_equal(judge_rig(r), VERDICT_OK);
        r->out_after[0] = rows[i].wrong;
        if (judge_rig(r) != rows[i].want) {
            fail_msg("%s: %08x is %s", rows[i].body, rows[i].wrong, verdict_rows[r->j.kind].name);
        }
        free_rig(r);
        arena_free(&a);
    }
}

static void fma_is_rounded_once(void **state)
{
    (void)state;
    COVERS(MATH_EXACT);
    struct rig *r = make_math("", "", "",
                              "%r0 = OpExtInst %f32 %cl fma %x0 %x1 %x2\n"
                              "%r1 = OpExtInst %f32 %cl mad %x0 %x1 %x2\n",
                              2);
    /* (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24 */
    r->in[0] = r->in[1] = 0x3f800800;
    r->in[2] = 0xbf801000;
    r->out_after[1] = 0; /* mad may round its product */
    expect_at(r, "fused", 0x33800000, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "in two steps", 0, VERDICT_ULP, CLAUSE_MATH_EXACT);
    r->out_after[1] = ONE;
    expect_at(r, "mad is neither", 0x33800000, VERDICT_ULP, CLAUSE_MATH_EXACT);
    free_rig(r);
}

static void vectors_by_component(void **state)
{
    (void)state;
    struct rig *r = make_math("", "", "",
                              "%v = OpCompositeConstruct %v4 %x0 %x1 %x2 %x3\n"
                              "%e = OpExtInst %v4 %cl exp %v\n%s = OpFAdd %v4 %e %e\n"
                              "%r0 = OpCompositeExtract %f32 %e 0\n"
                              "%r1 = OpCompositeExtract %f32 %e 1\n"
                              "%r2 = OpCompositeExtract %f32 %e 2\n"
                              "%r3 = OpCompositeExtract %f32 %s 3\n",
                              4);
    for (uint32_t i = 0; i < N_SLOTS; i++) {
        r->in[i] = bits_of(0.5f + (float)i);
        r->out_after[i] = exp_of(r->in[i]);
    }
    r->out_after[3] += 1 << 23; /* doubled: the third's set is that of exp */
    expect(r, "honest", VERDICT_OK, CLAUSE_NONE);
    uint32_t const honest = r->out_after[2];
    r->out_after[2] = r->out_after[1];
    expect(r, "the next component's", VERDICT_ULP, CLAUSE_MATH_ULP);
    assert_int_equal(r->j.findings[0].operand[0], r->in[2]);
    assert_string_equal(op_rows[r->j.findings[0].op].name, "exp");
    r->out_after[2] = honest;
    r->out_after[3] += 64;
    expect(r, "a sum off", VERDICT_ULP, CLAUSE_ARITH_CR);
    free_rig(r);
}

/* CE numerics: max * max * (2n - 1) * FLT_EPSILON, here 3 * 2^-23 * 9. */
static void dot_within_its_tolerance(void **state)
{
    (void)state;
    struct rig *r = make_math("", "", "",
                              "%a = OpCompositeConstruct %v2 %x0 %x1\n"
                              "%b = OpCompositeConstruct %v2 %x2 %x3\n"
                              "%r0 = OpDot %f32 %a %b\n",
                              1);
    static const float in[] = {1.0f, 3.0f, 2.0f, -0.5f};
    for (uint32_t i = 0; i < N_SLOTS; i++) {
        r->in[i] = bits_of(in[i]);
    }
    float const slack = 27.0f / 8388608.0f;
    expect_at(r, "exact", bits_of(0.5f), VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "inside", bits_of(0.5f + 0.9f * slack), VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "a term lost", bits_of(2.0f), VERDICT_ULP, CLAUSE_MATH_ULP);
    expect_at(r, "outside", bits_of(0.5f + 1.1f * slack), VERDICT_ULP, CLAUSE_MATH_ULP);
    free_rig(r);
}

static void remainders_have_no_row(void **state)
{
    (void)state;
    COVERS(MATH_NO_ROW);
    struct rig *r =
        make_math("", "", "", "%r0 = OpFRem %f32 %x0 %x1\n%r1 = OpFMod %f32 %x0 %x1\n", 2);
    r->in[0] = bits_of(-5.5f);
    r->in[1] = bits_of(2.0f);
    r->out_after[1] = bits_of(0.5f);
    expect_at(r, "sign of the dividend", bits_of(-1.5f), VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "of no reading", bits_of(-1.25f), VERDICT_ULP, CLAUSE_MATH_NO_ROW);
    r->out_after[1] = bits_of(-1.5f);
    expect_at(r, "sign of the divisor", bits_of(-1.5f), VERDICT_ULP, CLAUSE_MATH_NO_ROW);
    r->in[0] = bits_of(6.0f);
    r->out_after[1] = bits_of(-0.0f);
    expect_at(r, "zeros of any sign", bits_of(-0.0f), VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "by a quotient below 3", bits_of(2.0f), VERDICT_DIVERGENCE, CLAUSE_MATH_NO_ROW);
    free_rig(r);
}

/* Second results go to variables: of scalars, of vectors, of integers. */
static void results_through_pointers(void **state)
{
    (void)state;
    struct rig *r = make_math("", "",
                              "%pc = OpVariable %pf Function\n%pw = OpVariable %p2 Function\n"
                              "%pe = OpVariable %pi Function\n",
                              "%r0 = OpExtInst %f32 %cl sincos %x0 %pc\n"
                              "%r1 = OpLoad %f32 %pc\n"
                              "%v = OpCompositeConstruct %v2 %x0 %x1\n"
                              "%f = OpExtInst %v2 %cl fract %v %pw\n%w = OpLoad %v2 %pw\n"
                              "%r2 = OpCompositeExtract %f32 %w 1\n"
                              "%m = OpExtInst %f32 %cl frexp %x1 %pe\n%r3 = OpLoad %u32 %pe\n",
                              4);
    r->in[0] = bits_of(2.25f);
    r->in[1] = bits_of(-13.5f);
    r->out_after[0] = bits_of(sinf(2.25f));
    r->out_after[1] = bits_of(cosf(2.25f));
    r->out_after[2] = bits_of(-14.0f);
    r->out_after[3] = 4;
    expect(r, "honest", VERDICT_OK, CLAUSE_NONE);
    r->out_after[1] += 10;
    expect(r, "the cosine off", VERDICT_ULP, CLAUSE_MATH_ULP);
    assert_string_equal(op_rows[r->j.findings[0].op].name, "sincos");
    r->out_after[1] -= 10;
    r->out_after[2] = bits_of(-13.0f);
    expect(r, "truncated", VERDICT_ULP, CLAUSE_MATH_EXACT);
    assert_string_equal(op_rows[r->j.findings[0].op].name, "fract");
    r->out_after[2] = bits_of(-14.0f);
    r->out_after[3] = 3;
    expect(r, "an exponent of significands in 1 to 2", VERDICT_ULP, CLAUSE_MATH_EXACT);
    free_rig(r);
}

/* Decorated in one function and not in another. */
static void a_function_of_its_own(void **state)
{
    (void)state;
    struct rig *r = make_math("OpDecorate %inner !6170 !0x3f800000\n",
                              "%f = OpFunction %f32 None %ff\n%x = OpFunctionParameter %f32\n"
                              "%fl = OpLabel\n%inner = OpExtInst %f32 %cl exp %x\n"
                              "OpReturnValue %inner\nOpFunctionEnd\n",
                              "",
                              "%r0 = OpFunctionCall %f32 %f %x0\n"
                              "%r1 = OpExtInst %f32 %cl exp %x0\n",
                              2);
    r->in[0] = bits_of(1.7f);
    uint32_t const e = exp_of(r->in[0]);
    r->out_after[1] = e + 2;
    expect_at(r, "each in its bound", e, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "the decorated one", e + 2, VERDICT_ULP, CLAUSE_MAX_ERROR);
    assert_string_equal(op_rows[r->j.findings[0].op].name, "exp");
    free_rig(r);
}

/* The smaller of two by f(x, y) = x < y ? f(y, x) : y. SPIR-V permits no recursion, and registers of a
 * function are there once: nothing is said of what comes of it, be it right or wrong. */
static void a_recursion_is_not_judged(void **state)
{
    (void)state;
    static const char smaller[] =
        "%bool = OpTypeBool\n%ff2 = OpTypeFunction %f32 %f32 %f32\n"
        "%f = OpFunction %f32 None %ff2\n%x = OpFunctionParameter %f32\n"
        "%y = OpFunctionParameter %f32\n%fl = OpLabel\n%less = OpFOrdLessThan %bool %x %y\n"
        "OpSelectionMerge %end None\nOpBranchConditional %less %swap %end\n"
        "%swap = OpLabel\n%inner = OpFunctionCall %f32 %f %y %x\nOpReturnValue %inner\n"
        "%end = OpLabel\nOpReturnValue %y\nOpFunctionEnd\n";
    struct rig *r = make_math("", smaller, "", "%r0 = OpFunctionCall %f32 %f %x0 %x1\n", 1);
    r->in[0] = bits_of(2.0f);
    r->in[1] = bits_of(1.0f);
    expect_at(r, "no call within the call", r->in[1], VERDICT_OK, CLAUSE_NONE);
    r->in[0] = bits_of(0.5f);
    for (unsigned i = 0; i < 2; i++) {
        r->out_after[0] = r->in[i];
        assert_int_equal(judge_rig(r), VERDICT_INCONCLUSIVE);
        assert_non_null(strstr(r->j.note, "calls itself"));
    }
    free_rig(r);
}

static void conversions_round_as_decorated(void **state)
{
    (void)state;
    COVERS(CONVERT_CR);
    static const struct {
        const char *decoration;
        uint32_t right, wrong;
    } rows[] = {
        {"",                                    0x4b800000, 0x4b800001}, /* a tie, to even */
        {"OpDecorate %r0 FPRoundingMode RTE\n", 0x4b800000, 0x4b800001},
        {"OpDecorate %r0 FPRoundingMode RTZ\n", 0x4b800000, 0x4b800001},
        {"OpDecorate %r0 FPRoundingMode RTP\n", 0x4b800001, 0x4b800000},
        {"OpDecorate %r0 FPRoundingMode RTN\n", 0x4b800000, 0x4b800001},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_math(rows[i].decoration, "", "", "%r0 = OpConvertUToF %f32 %i0\n", 1);
        r->in[0] = 16777217; /* 2^24 + 1 */
        expect_at(r, "as named", rows[i].right, VERDICT_OK, CLAUSE_NONE);
        expect_at(r, "the other way", rows[i].wrong, VERDICT_ULP, CLAUSE_CONVERT_CR);
        free_rig(r);
    }
}

static void to_integers_in_all_directions(void **state)
{
    (void)state;
    static const struct {
        const char *decoration;
        int32_t of_minus, of_plus; /* -2.5, 3.5 */
    } rows[] = {
        {"",                                                                       -2, 3},
        {"OpDecorate %r0 FPRoundingMode RTE\nOpDecorate %r1 FPRoundingMode RTE\n", -2, 4},
        {"OpDecorate %r0 FPRoundingMode RTP\nOpDecorate %r1 FPRoundingMode RTP\n", -2, 4},
        {"OpDecorate %r0 FPRoundingMode RTN\nOpDecorate %r1 FPRoundingMode RTN\n", -3, 3},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r =
            make_math(rows[i].decoration, "", "",
                      "%r0 = OpConvertFToS %u32 %x0\n%r1 = OpConvertFToS %u32 %x1\n", 2);
        r->in[0] = bits_of(-2.5f);
        r->in[1] = bits_of(3.5f);
        r->out_after[1] = (uint32_t)rows[i].of_plus;
        expect_at(r, "as named", (uint32_t)rows[i].of_minus, VERDICT_OK, CLAUSE_NONE);
        r->out_after[1] = (uint32_t)(7 - rows[i].of_plus);
        expect_at(r, "the other way", (uint32_t)rows[i].of_minus, VERDICT_ULP, CLAUSE_FTOI);
        free_rig(r);
    }
}

/* --- Vulkan --- */

static const char vk_head[] =
    "OpCapability Shader\nOpCapability SignedZeroInfNanPreserve\nOpCapability RoundingModeRTE\n"
    "OpCapability DenormPreserve\nOpExtension \"SPV_KHR_float_controls\"\n"
    "%gl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"k\"\nOpExecutionMode %main LocalSize 1 1 1\n"
    "OpExecutionMode %main SignedZeroInfNanPreserve 32\nOpExecutionMode %main RoundingModeRTE 32\n"
    "OpExecutionMode %main DenormPreserve 32\n"
    "OpDecorate %au ArrayStride 4\nOpDecorate %su Block\nOpMemberDecorate %su 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 1\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 2\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"
    "%au = OpTypeRuntimeArray %u32\n%su = OpTypeStruct %au\n"
    "%psu = OpTypePointer StorageBuffer %su\n%pu = OpTypePointer StorageBuffer %u32\n"
    "%fn = OpTypeFunction %void\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"
    "%in = OpVariable %psu StorageBuffer\n%out = OpVariable %psu StorageBuffer\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
    "%pin0 = OpAccessChain %pu %in %c0 %c0\n%i0 = OpLoad %u32 %pin0\n"
    "%x0 = OpBitcast %f32 %i0\n%pin1 = OpAccessChain %pu %in %c0 %c1\n"
    "%i1 = OpLoad %u32 %pin1\n%x1 = OpBitcast %f32 %i1\n"
    "%pout = OpAccessChain %pu %out %c0 %c0\n";
static const char vk_tail[] = "%b = OpBitcast %u32 %r0\nOpStore %pout %b\nOpReturn\n"
                              "OpFunctionEnd\n";

static struct rig *make_glsl(const char *body)
{
    struct rig *r = make_rig(ENV_VK, 1);
    assemble(r, arena_printf(&r->a, "%s%s%s", vk_head, body, vk_tail), SPV_ENV_UNIVERSAL_1_3);
    return r;
}

static void glsl_exp_depends_on_its_argument(void **state)
{
    (void)state;
    struct rig *r = make_glsl("%r0 = OpExtInst %f32 %gl Exp %x0\n");
    r->in[0] = bits_of(10.5f); /* 3 + 2 * 10.5 = 24 ulps */
    uint32_t const e = exp_of(r->in[0]);
    expect_at(r, "exact", e, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "23 ulps", e + 23, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "26 ulps", e + 26, VERDICT_ULP, CLAUSE_MATH_ULP);
    free_rig(r);
}

static void glsl_min_and_nmin(void **state)
{
    (void)state;
    struct rig *r = make_glsl("%r0 = OpExtInst %f32 %gl NMin %x0 %x1\n");
    r->in[0] = QNAN;
    r->in[1] = ONE;
    expect_at(r, "the number", ONE, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "the NaN", QNAN, VERDICT_DIVERGENCE, CLAUSE_SZINP_LIST);
    expect_at(r, "another number", TWO, VERDICT_DIVERGENCE, CLAUSE_SZINP_LIST);
    free_rig(r);
    r = make_glsl("%r0 = OpExtInst %f32 %gl FMin %x0 %x1\n");
    r->in[0] = QNAN;
    r->in[1] = ONE;
    expect_at(r, "undefined: the number", ONE, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "undefined: the NaN", QNAN, VERDICT_OK, CLAUSE_NONE);
    r->in[0] = TWO;
    expect_at(r, "the larger", TWO, VERDICT_ULP, CLAUSE_MATH_EXACT);
    free_rig(r);
}

/* V env precision and operation: the mode is for OpFNegate and comparisons, but not for conversions of
 * integers nor for extended instructions. */
static void what_the_mode_binds(void **state)
{
    (void)state;
    COVERS(SZINP_LIST);
    struct rig *r = make_glsl("%r0 = OpFNegate %f32 %x0\n");
    r->in[0] = 0;
    expect_at(r, "-0", MINUS_ZERO, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "+0", 0, VERDICT_ZERO_SIGN, CLAUSE_NEG_EXACT);
    free_rig(r);
    r = make_glsl("%r0 = OpConvertSToF %f32 %i0\n");
    r->in[0] = 0;
    expect_at(r, "+0", 0, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "-0", MINUS_ZERO, VERDICT_DIVERGENCE, CLAUSE_SZINP_LIST);
    expect_at(r, "a number", ONE, VERDICT_ULP, CLAUSE_CONVERT_CR);
    free_rig(r);
    r = make_glsl("%c = OpFOrdLessThan %bool %x0 %x1\n"
                  "%r0 = OpSelect %f32 %c %x0 %x1\n");
    r->in[0] = ONE;
    r->in[1] = TWO;
    expect_at(r, "less", ONE, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "not less", TWO, VERDICT_ULP, CLAUSE_COMPARE);
    assert_string_equal(op_rows[r->j.findings[0].op].name, "FOrdLessThan");
    expect_at(r, "neither", THREE, VERDICT_ULP, CLAUSE_SELECT);
    r->in[1] = PLUS_INF;
    expect_at(r, "not less than inf", PLUS_INF, VERDICT_ULP, CLAUSE_COMPARE);
    free_rig(r);
}

static void inherited_bounds(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    struct rig *r = make_glsl("%r0 = OpExtInst %f32 %gl Sqrt %x0\n");
    r->in[0] = TWO;
    uint32_t const root = bits_of(sqrtf(2.0f));
    expect_at(r, "exact", root, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "one off", root + 1, VERDICT_OK, CLAUSE_NONE);
    expect_at(r, "far off", root + 100, VERDICT_ULP, CLAUSE_MATH_INHERITED);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_keeps_three_ulps),
        cmocka_unit_test(a_decoration_replaces_the_bound),
        cmocka_unit_test(each_result_has_its_own_bound),
        cmocka_unit_test(a_bound_that_no_encoding_meets),
        cmocka_unit_test(a_bound_that_the_target_does_not_list),
        cmocka_unit_test(decorated_addition),
        cmocka_unit_test(decorated_values_that_are_handed_on),
        cmocka_unit_test(bounds_of_a_call_add_up),
        cmocka_unit_test(decorated_product_of_vector_and_scalar),
        cmocka_unit_test(special_values),
        cmocka_unit_test(fma_is_rounded_once),
        cmocka_unit_test(vectors_by_component),
        cmocka_unit_test(dot_within_its_tolerance),
        cmocka_unit_test(remainders_have_no_row),
        cmocka_unit_test(results_through_pointers),
        cmocka_unit_test(a_function_of_its_own),
        cmocka_unit_test(a_recursion_is_not_judged),
        cmocka_unit_test(conversions_round_as_decorated),
        cmocka_unit_test(to_integers_in_all_directions),
        cmocka_unit_test(glsl_exp_depends_on_its_argument),
        cmocka_unit_test(glsl_min_and_nmin),
        cmocka_unit_test(what_the_mode_binds),
        cmocka_unit_test(inherited_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
