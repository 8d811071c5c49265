/* tests/oracle/test_expression.c -- what contraction and rearrangement explain, and what they do not. */
#include <math.h>

#include "tests/rig/expression_rig.h"

#define RTE       "OpExecutionMode %main RoundingModeRTE 32\n"
#define SZINP     "OpExecutionMode %main SignedZeroInfNanPreserve 32\n"
#define KEEP      "OpExecutionMode %main DenormPreserve 32\n"
#define NO_FUSING "OpExecutionMode %main ContractionOff\n"

/* An expression with what may come of it. */
struct example {
    const char *what;
    struct program program;
    float x[4];
    uint32_t plain;     /* as it stands */
    uint32_t explained; /* by a contraction or another order; 0: there is none */
    uint32_t wrong;     /* by nothing */
    enum clause_id clause;
};

static void judge_examples(const struct example *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct example *e = &all[i];
        struct rig *r = make_program(&e->program);
        enum clause_id const how =
            e->program.env == ENV_CL ? CLAUSE_ARITH_CONTRACT : CLAUSE_ARITH_REASSOC;
        for (int k = 0; k < 4; k++) {
            r->in[k] = bits_of(e->x[k]);
        }
        expect_verdict_of(r, e->what, e->plain, VERDICT_OK, CLAUSE_NONE);
        if (e->explained) {
            expect_verdict_of(r, e->what, e->explained, VERDICT_DIVERGENCE, how);
        }
        expect_verdict_of(r, e->what, e->wrong, VERDICT_ULP, e->clause);
        free_rig(r);
    }
}

/* (x0 x1) x2 - x3, whose intermediate roundings show. */
static const char two_products[] = "%p = OpFMul %f32 %x0 %x1\n%q = OpFMul %f32 %p %x2\n"
                                   "%r = OpFSub %f32 %q %x3\n";
/* x0 + x1 - x2 */
static const char two_sums[] = "%s = OpFAdd %f32 %x0 %x1\n%r = OpFSub %f32 %s %x2\n";

/* C11 6.5 paragraph 8: any rounding between may be left out. x = 1 + 2^-12: x x is 1 + 2^-11 + 2^-24, a tie
 * that rounds to 1 + 2^-11; times x and less what is near shows which roundings there were. */
static void opencl_contracts(void **state)
{
    (void)state;
    COVERS(ARITH_CONTRACT);
    float const x = 1 + 0x1p-12f, square = x * x, cube = square * x;
    float const exact = (float)((double)x * (double)x * (double)x - (double)cube);
    struct example const rows[] = {
        {"products of products",
         {ENV_CL, "", "", two_products, NULL, NULL},
         {x, x, x, cube},
         0,          bits_of(exact),
         bits_of(x - cube),                          /* one factor is missing */
         CLAUSE_ARITH_CR},
        {"a term is missing",
         {ENV_CL, "", "", two_sums, NULL, NULL},
         {3, 5, 1, 0},
         bits_of(7),
         0,                          bits_of(2),
         CLAUSE_ARITH_CR                           },
        {"a term is doubled",
         {ENV_CL, "", "", two_sums, NULL, NULL},
         {3, 5, 1, 0},
         bits_of(7),
         0,                          bits_of(12),
         CLAUSE_ARITH_CR                           },
        {"no reassociation: 2^25 + 1 - 2^25",
         {ENV_CL, "", "", two_sums, NULL, NULL},
         {0x1p25f, 1, 0x1p25f, 0},
         0,          bits_of(1),     /* the sum unrounded */
         bits_of(8),
         CLAUSE_ARITH_CR                           },
    };
    judge_examples(rows, ARRAY_N(rows));
}

static void opencl_without_contraction(void **state)
{
    (void)state;
    float const x = 1 + 0x1p-12f, square = x * x, cube = square * x;
    float const exact = (float)((double)x * (double)x * (double)x - (double)cube);
    struct example const rows[] = {
        {"ContractionOff",
         {ENV_CL, NO_FUSING, "", two_products, NULL, NULL},
         {x, x, x, cube},
         0,          0,
         bits_of(exact),
         CLAUSE_ARITH_CR},
        {"but with -cl-mad-enable",
         {ENV_CL, NO_FUSING, "", two_products, "-cl-mad-enable", NULL},
         {x, x, x, cube},
         0,          bits_of(exact),
         bits_of(x - cube),
         CLAUSE_ARITH_CR},
        {"ContractionOff, one ulp",
         {ENV_CL, NO_FUSING, "", two_sums, NULL, NULL},
         {3, 5, 1, 0},
         bits_of(7),
         0,                          bits_of(7) + 1,
         CLAUSE_ARITH_CR},
    };
    judge_examples(rows, ARRAY_N(rows));
}

/* V env, Evaluation of Expressions: a + b - a is b; but not 0 or 2 b. */
static void vulkan_rearranges(void **state)
{
    (void)state;
    COVERS(ARITH_REASSOC);
    struct example const rows[] = {
        {"a + b - a",
         {ENV_VK, RTE, "", two_sums, NULL, NULL},
         {0x1p30f, 3, 0x1p30f, 0},
         0,                             bits_of(3),
         bits_of(0x1p10f),
         CLAUSE_ARITH_CR                              },
        {"a b / a",
         {ENV_VK, RTE, "", "%p = OpFMul %f32 %x0 %x1\n%r = OpFDiv %f32 %p %x0\n", NULL, NULL},
         {3, 7, 0, 0},
         bits_of(7),
         0,                                         bits_of(3),
         CLAUSE_DIV_ULP                               },
        {"a (b + c)",
         {ENV_VK, RTE, "", "%s = OpFAdd %f32 %x1 %x2\n%r = OpFMul %f32 %x0 %s\n", NULL, NULL},
         {1.1f, 0.3f, 1.9f, 0},
         bits_of(1.1f * (0.3f + 1.9f)),
         bits_of(1.1f * 0.3f + 1.1f * 1.9f),
         bits_of(1.1f * 0.3f),                                            /* a term is missing */
         CLAUSE_ARITH_CR},
        {"a term of the wrong sign",
         {ENV_VK, RTE, "",
          "%n = OpFNegate %f32 %x1\n%s = OpFAdd %f32 %x0 %n\n"
          "%r = OpFMul %f32 %s %x2\n",
          NULL, NULL},
         {5, 3, 2, 0},
         bits_of(4),
         0,                                         bits_of(16),
         CLAUSE_ARITH_CR                              },
        {"one operation alone",
         {ENV_VK, RTE, "", "%r = OpFAdd %f32 %x0 %x1\n", NULL, NULL},
         {0x1p24f, 1, 0, 0},
         bits_of(0x1p24f),
         0,                                         bits_of(0x1p24f) + 1,
         CLAUSE_ARITH_CR                              },
    };
    judge_examples(rows, ARRAY_N(rows));
}

static void vulkan_with_no_contraction(void **state)
{
    (void)state;
    struct example const rows[] = {
        {"both decorated",
         {ENV_VK, RTE, "OpDecorate %s NoContraction\nOpDecorate %r NoContraction\n", two_sums, NULL,
          NULL},
         {0x1p30f, 3, 0x1p30f, 0},
         0, 0,
         bits_of(3),
         CLAUSE_ARITH_CR},
        {"the last one decorated",
         {ENV_VK, RTE, "OpDecorate %r NoContraction\n", two_sums, NULL, NULL},
         {0x1p30f, 3, 0x1p30f, 0},
         0, 0,
         bits_of(3),
         CLAUSE_ARITH_CR},
    };
    judge_examples(rows, ARRAY_N(rows));
}

/* The negation is no operation that could be left unrounded; what gives its operand may be. */
static void negation_is_looked_through(void **state)
{
    (void)state;
    COVERS(NEG_EXACT);
    static const char body[] = "%p = OpFMul %f32 %x0 %x1\n%n = OpFNegate %f32 %p\n"
                               "%r = OpFAdd %f32 %n %x2\n";
    float const x = 1 + 0x1p-12f, square = x * x;
    struct example const rows[] = {
        {"x2 - x0 x1",
         {ENV_CL, "", "", body, NULL, NULL},
         {x, x, square, 0},
         0, 0, /* fused: permitted as it stands */
         bits_of(square),
         CLAUSE_ARITH_CR},
    };
    judge_examples(rows, ARRAY_N(rows));
    struct program const negated = {
        ENV_VK,
        RTE SZINP KEEP,
        "",
        "%s = OpFAdd %f32 %x0 %x1\n%pout1 = OpAccessChain %pu %out %c0 %c1\n"
        "%sb = OpBitcast %u32 %s\nOpStore %pout1 %sb\n"
        "%r = OpFNegate %f32 %s\n",
        NULL,
        NULL};
    struct rig *r = make_program(&negated);
    r->in[0] = bits_of(3);
    r->in[1] = bits_of(5);
    r->out_after[1] = bits_of(8);
    expect_verdict_of(r, "minus what was seen", bits_of(-8), VERDICT_OK, CLAUSE_NONE);
    expect_verdict_of(r, "another", bits_of(-9), VERDICT_ULP, CLAUSE_NEG_EXACT);
    free_rig(r);
}

/* What overflows on the way may leave anything behind, where the order is free. */
static void an_order_that_overflows(void **state)
{
    (void)state;
    struct program const p = {ENV_VK,
                              RTE SZINP,
                              "",
                              "%p = OpFMul %f32 %x0 %x1\n"
                              "%r = OpFMul %f32 %p %x2\n",
                              NULL,
                              NULL};
    struct rig *r = make_program(&p);
    r->in[0] = bits_of(0x1p100f);
    r->in[1] = bits_of(0x1p-100f);
    r->in[2] = bits_of(0x1p100f);
    expect_verdict_of(r, "in order", bits_of(0x1p100f), VERDICT_OK, CLAUSE_NONE);
    expect_verdict_of(r, "the large ones first", PLUS_INF, VERDICT_DIVERGENCE,
                      CLAUSE_ARITH_REASSOC);
    r->in[2] = bits_of(4);
    expect_verdict_of(r, "no order overflows", PLUS_INF, VERDICT_ULP, CLAUSE_ARITH_CR);
    free_rig(r);
}

/* V env, Evaluation of Expressions, note: SignedZeroInfNanPreserve does not bar a + b - a from being b. */
static void a_nan_that_may_cancel(void **state)
{
    (void)state;
    struct program const sums = {ENV_VK, RTE SZINP, "", two_sums, NULL, NULL};
    struct program const one = {ENV_VK, RTE SZINP, "", "%r = OpFAdd %f32 %x0 %x1\n", NULL, NULL};
    struct rig *r = make_program(&sums);
    r->in[0] = r->in[2] = QNAN;
    r->in[1] = TWO;
    expect_verdict_of(r, "NaN + 2 - NaN", QNAN, VERDICT_OK, CLAUSE_NONE);
    expect_verdict_of(r, "it cancels", TWO, VERDICT_DIVERGENCE, CLAUSE_ARITH_REASSOC);
    free_rig(r);
    r = make_program(&one);
    r->in[0] = QNAN;
    r->in[1] = TWO;
    expect_verdict_of(r, "NaN + 2", QNAN, VERDICT_OK, CLAUSE_NONE);
    expect_verdict_of(r, "nothing to cancel", TWO, VERDICT_NAN_RULE, CLAUSE_ARITH_CR);
    free_rig(r);
}

/* A function of a contracted operand: exp(x0 x1), whose argument may be the exact product. */
static void a_function_of_an_expression(void **state)
{
    (void)state;
    struct program const p = {ENV_VK, RTE SZINP,
                              "",     "%p = OpFMul %f32 %x0 %x1\n%r = OpExtInst %f32 %gl Sqrt %p\n",
                              NULL,   NULL};
    struct rig *r = make_program(&p);
    r->in[0] = bits_of(3);
    r->in[1] = bits_of(5);
    uint32_t const root = bits_of(sqrtf(15));
    expect_verdict_of(r, "the root", root, VERDICT_OK, CLAUSE_NONE);
    expect_verdict_of(r, "of one factor", bits_of(sqrtf(5)), VERDICT_ULP, CLAUSE_MATH_INHERITED);
    expect_verdict_of(r, "of the sum", bits_of(sqrtf(8)), VERDICT_ULP, CLAUSE_MATH_INHERITED);
    free_rig(r);
}

/* The argument of a root need not be flushed to zero where both are one expression. */
static void an_inner_result_that_is_subnormal(void **state)
{
    (void)state;
    struct program const p = {
        ENV_VK, RTE "OpExecutionMode %main DenormFlushToZero 32\n",
        "",     "%p = OpExtInst %f32 %gl Exp2 %x0\n%r = OpExtInst %f32 %gl Sqrt %p\n",
        NULL,   NULL};
    struct rig *r = make_program(&p);
    r->in[0] = bits_of(-132);
    expect_verdict_of(r, "flushed", bits_of(0), VERDICT_OK, CLAUSE_NONE);
    expect_verdict_of(r, "as one expression", bits_of(0x1p-66F), VERDICT_DIVERGENCE,
                      CLAUSE_ARITH_REASSOC);
    free_rig(r);
}

/* A product may go unrounded into an atomic addition; an addition that is lost is no contraction. */
static void atomic_additions(void **state)
{
    (void)state;
    static const char body[] = "%p = OpFMul %f32 %x0 %x1\n"
                               "%r = OpAtomicFAddEXT %f32 %cell %c1 %c0 %p\n";
    float const x = 1 + 0x1p-12f, square = x * x;
    float const fused = (float)((double)x * (double)x - (double)square);
    static const struct {
        enum env env;
        const char *modes;
        enum verdict_kind kind;
    } rows[] = {
        {ENV_CL, "",        VERDICT_DIVERGENCE},
        {ENV_CL, NO_FUSING, VERDICT_ULP       },
        {ENV_VK, RTE SZINP, VERDICT_DIVERGENCE},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {rows[i].env, rows[i].modes, "", body, NULL, NULL};
        struct rig *r = make_program(&p);
        r->in[0] = r->in[1] = bits_of(x);
        r->cells[0] = bits_of(-square);
        r->cells_after[0] = 0;
        expect_verdict_of(r, "rounded", bits_of(-square), VERDICT_OK, CLAUSE_NONE);
        r->cells_after[0] = bits_of(fused);
        expect_verdict_of(r, "unrounded", bits_of(-square), rows[i].kind,
                          rows[i].kind == VERDICT_ULP ? CLAUSE_FADD_CR
                          : rows[i].env == ENV_CL     ? CLAUSE_ARITH_CONTRACT
                                                      : CLAUSE_ARITH_REASSOC);
        r->cells_after[0] = bits_of(-square);
        expect_verdict_of(r, "lost", bits_of(-square), VERDICT_ATOMICITY, CLAUSE_FADD_CR);
        r->cells_after[0] = bits_of(square);
        expect_verdict_of(r, "twice", bits_of(-square), VERDICT_ULP, CLAUSE_FADD_CR);
        free_rig(r);
    }
}

/* The error term of a sum, TwoSum: s = a + b; t = s - a; e = (a - (s - t)) + (b - t). Of 2^24 + 1, which Vulkan rounds to
 * either neighbour where no mode is set, it is 1 or -1, as s is exact less that, and never 0, which lies between. With
 * RoundingModeRTE s is 2^24 and the error 1. V env, precision of OpFAdd: correctly rounded. */
static void the_error_term_of_a_sum(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    static const char decorations[] =
        "OpDecorate %s NoContraction\nOpDecorate %t NoContraction\nOpDecorate %u NoContraction\n"
        "OpDecorate %w NoContraction\nOpDecorate %y NoContraction\nOpDecorate %r NoContraction\n";
    static const char body[] =
        "%s = OpFAdd %f32 %x0 %x1\n%t = OpFSub %f32 %s %x0\n%u = OpFSub %f32 %s %t\n"
        "%w = OpFSub %f32 %x0 %u\n%y = OpFSub %f32 %x1 %t\n%r = OpFAdd %f32 %w %y\n";
    static const struct {
        const char *modes;
        float error;
        bool is_right;
    } rows[] = {
        {SZINP,     1,    true },
        {SZINP,     -1,   true },
        {SZINP,     0,    false},
        {SZINP,     0.5f, false},
        {SZINP RTE, 1,    true },
        {SZINP RTE, -1,   false},
        {SZINP RTE, 0,    false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {ENV_VK, rows[i].modes, decorations, body, NULL, NULL};
        struct rig *r = make_program(&p);
        r->in[0] = bits_of(0x1p24f);
        r->in[1] = ONE;
        expect_verdict_of(r, "an error term", bits_of(rows[i].error),
                          rows[i].is_right ? VERDICT_OK : VERDICT_ULP,
                          rows[i].is_right ? CLAUSE_NONE : CLAUSE_ARITH_CR);
        free_rig(r);
    }
}

/* A slot that holds what it held before was never stored, however free its value is. */
static void a_lost_store_is_no_contraction(void **state)
{
    (void)state;
    COVERS(EVERY_LANE);
    struct program const p = {ENV_VK, RTE, "", two_sums, NULL, NULL};
    struct rig *r = make_program(&p);
    r->in[0] = bits_of(0x1p30f);
    r->in[1] = bits_of(3);
    r->in[2] = bits_of(0x1p30f);
    expect_verdict_of(r, "explained", bits_of(3), VERDICT_DIVERGENCE, CLAUSE_ARITH_REASSOC);
    expect_verdict_of(r, "untouched", 0xa5a5a5a5, VERDICT_MASK, CLAUSE_EVERY_LANE);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opencl_contracts),
        cmocka_unit_test(opencl_without_contraction),
        cmocka_unit_test(vulkan_rearranges),
        cmocka_unit_test(vulkan_with_no_contraction),
        cmocka_unit_test(negation_is_looked_through),
        cmocka_unit_test(an_order_that_overflows),
        cmocka_unit_test(a_nan_that_may_cancel),
        cmocka_unit_test(a_function_of_an_expression),
        cmocka_unit_test(an_inner_result_that_is_subnormal),
        cmocka_unit_test(atomic_additions),
        cmocka_unit_test(the_error_term_of_a_sum),
        cmocka_unit_test(a_lost_store_is_no_contraction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
