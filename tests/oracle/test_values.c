/* tests/oracle/test_values.c -- verdicts on values: compares, copies, loads, undecorated arithmetic, refusals. */
#include <stdio.h>

#include "tests/rig/judge_rig.h"

/* One invocation of `body`, which defines %r from %v: input, stored result, verdict. */
struct value_row {
    uint32_t in, out;
    enum verdict_kind want;
};

static void run_body_rows(const char *body, const struct value_row *rows, size_t n)
{
    size_t n_checked = 0;
    for (size_t i = 0; i < n; i++) {
        struct rig *r = make_rig(ENV_CL, 1);
        const char *text = arena_printf(&r->a, "%s%s%s", cl_frame, body, cl_tail);
        const char *at = strstr(text, "%void = ");
        text = arena_printf(&r->a, "%.*s%%bool = OpTypeBool\n%s", (int)(at - text), text, at);
        at = strstr(text, "%c0 = ");
        text =
            arena_printf(&r->a, "%.*s%%one = OpConstant %%f32 1\n%s", (int)(at - text), text, at);
        assemble(r, text, SPV_ENV_UNIVERSAL_1_2);
        r->in[0] = rows[i].in;
        r->out_after[0] = rows[i].out;
        enum verdict_kind const got = judge_rig(r);
        if (got != rows[i].want) {
            fail_msg("%s in %08x out %08x: %s, want %s: %s", body, rows[i].in, rows[i].out,
                     verdict_rows[got].name, verdict_rows[rows[i].want].name,
                     r->j.n_findings ? r->j.findings[0].text : r->j.note);
        }
        free_rig(r);
        n_checked++;
    }
    assert_true(n_checked > 0);
}

/* S 3.3.15, OpIsNan to OpUnordered: bit i of `yes` is what the test says of inputs[i]. */
static void tests_of_a_number(void **state)
{
    (void)state;
    COVERS(COMPARE);
    static const uint32_t inputs[] = {TWO,        0xc0000000, MINUS_ZERO, 0x7f800000,
                                      0xff800000, QNAN,       0x00800000};
    static const struct {
        const char *test;
        uint32_t yes;
    } rows[] = {
        {"%b = OpIsNan %bool %v\n",                                  0x20},
        {"%b = OpIsInf %bool %v\n",                                  0x18},
        {"%b = OpIsFinite %bool %v\n",                               0x47},
        {"%b = OpIsNormal %bool %v\n",                               0x43},
        {"%b = OpSignBitSet %bool %v\n",                             0x16},
        {"%b = OpOrdered %bool %v %one\n",                           0x5f},
        {"%b = OpUnordered %bool %one %v\n",                         0x20},
        {"%b = OpLessOrGreater %bool %v %one\n",                     0x5f},
 /* of what is known by its bounds alone */
        {"%q = OpFDiv %f32 %one %one\n%b = OpIsNan %bool %q\n",      0   },
        {"%q = OpFDiv %f32 %one %one\n%b = OpIsNormal %bool %q\n",   0x7f},
        {"%q = OpFDiv %f32 %one %one\n%b = OpSignBitSet %bool %q\n", 0   },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        for (size_t k = 0; k < ARRAY_N(inputs); k++) {
            bool const is_yes = rows[i].yes >> k & 1;
            char body[256];
            (void)snprintf(body, sizeof body, "%s%%r = OpSelect %%f32 %%b %%one %%v\n",
                           rows[i].test);
            struct value_row const both[] = {
                {inputs[k], ONE,       is_yes ? VERDICT_OK : VERDICT_ULP},
                {inputs[k], inputs[k], is_yes ? VERDICT_ULP : VERDICT_OK}
            };
            bool const is_nan = inputs[k] == QNAN; /* as a number it is named after another rule */
            run_body_rows(body, both + (is_nan && !is_yes), is_nan ? 1 : 2);
        }
    }
}

static void compares_selects_and_copies(void **state)
{
    (void)state;
    COVERS(COMPARE);
    COVERS(SELECT);
    COVERS(COPY_EXACT);
    COVERS(FTOI);
    COVERS(CONVERT_CR);
    static const struct value_row ordered[] = {
        {TWO,  ONE,   VERDICT_OK },
        {TWO,  TWO,   VERDICT_ULP},
        {TWO,  THREE, VERDICT_ULP}, /* neither operand: a wrong value, no order of atomics */
        {0,    0,     VERDICT_OK },
        {QNAN, ONE,   VERDICT_OK }, /* not less: the other operand */
        {QNAN, QNAN,  VERDICT_ULP},
    };
    run_body_rows("%b = OpFOrdLessThan %bool %v %one\n%r = OpSelect %f32 %b %v %one\n", ordered,
                  ARRAY_N(ordered));
    static const struct value_row unordered[] = {
        {QNAN, QNAN, VERDICT_OK },
        {QNAN, ONE,  VERDICT_ULP},
        {TWO,  ONE,  VERDICT_OK },
    };
    run_body_rows("%b = OpFUnordLessThan %bool %v %one\n%r = OpSelect %f32 %b %v %one\n", unordered,
                  ARRAY_N(unordered));
    static const struct value_row copy[] = {
        {ONE,  ONE,  VERDICT_OK },
        {ONE,  TWO,  VERDICT_ULP},
        {SNAN, SNAN, VERDICT_OK },
    };
    run_body_rows("%r = OpCopyObject %f32 %v\n", copy, ARRAY_N(copy));
    static const struct value_row truncate[] = {
        {0x40200000, TWO,        VERDICT_OK       }, /* 2.5 */
        {0x40200000, THREE,      VERDICT_ULP      },
        {0xbe99999a, 0,          VERDICT_OK       }, /* -0.3 becomes the integer 0, which has no sign */
        {0xbe99999a, MINUS_ZERO, VERDICT_ZERO_SIGN},
        {QNAN,       12345,      VERDICT_OK       }, /* undefined */
    };
    run_body_rows("%i = OpConvertFToS %u32 %v\n%r = OpConvertSToF %f32 %i\n", truncate,
                  ARRAY_N(truncate));
}

static void loads_and_stores_keep_the_bits(void **state)
{
    (void)state;
    COVERS(LOAD_EXACT);
    COVERS(STORE_EXACT);
    static const struct {
        const char *body;
        struct row row;
    } rows[] = {
        {"%r = OpAtomicLoad %f32 %cell %c1 %c0\n",                      {"load", ONE, 0, ONE, ONE, VERDICT_OK}       },
        {"%r = OpAtomicLoad %f32 %cell %c1 %c0\n",                      {"load", ONE, 0, TWO, ONE, VERDICT_ATOMICITY}},
        {"%r = OpAtomicLoad %f32 %cell %c1 %c0\n",
         {"load", MINUS_ZERO, 0, 0, MINUS_ZERO, VERDICT_ZERO_SIGN}                                                   },
        {"%r = OpAtomicLoad %f32 %cell %c1 %c0\n",                      {"load", ONE, 0, ONE, TWO, VERDICT_ATOMICITY}},
        {"OpAtomicStore %cell %c1 %c0 %v\n%r = OpCopyObject %f32 %v\n",
         {"store", ONE, TWO, TWO, TWO, VERDICT_OK}                                                                   },
        {"OpAtomicStore %cell %c1 %c0 %v\n%r = OpCopyObject %f32 %v\n",
         {"store", ONE, TWO, TWO, ONE, VERDICT_ATOMICITY}                                                            },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(ENV_VK, 1);
        const char *frame = arena_printf(&r->a, vk_frame, "OpCapability SignedZeroInfNanPreserve\n",
                                         "OpExecutionMode %main SignedZeroInfNanPreserve 32\n");
        assemble(r, arena_printf(&r->a, "%s%s%s", frame, rows[i].body, cl_tail),
                 SPV_ENV_VULKAN_1_1);
        judge_rows(r, &rows[i].row, 1);
        free_rig(r);
    }
}

/* The negative of a signalling NaN may be signalling still, and min may then answer a NaN. */
static void negated_snan_in_a_min(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"min", ONE, SNAN, ONE, ONE,  VERDICT_OK      },
        {"min", ONE, SNAN, ONE, QNAN, VERDICT_OK      },
        {"min", ONE, QNAN, ONE, ONE,  VERDICT_OK      },
        {"min", ONE, QNAN, ONE, QNAN, VERDICT_NAN_RULE},
    };
    struct rig *r = make_rig(ENV_CL, 1);
    assemble(r,
             arena_printf(&r->a,
                          "%s%%n = OpFNegate %%f32 %%v\n"
                          "%%r = OpAtomicFMinEXT %%f32 %%cells %%c1 %%c0 %%n\n%s",
                          cl_frame, cl_tail),
             SPV_ENV_UNIVERSAL_1_2);
    judge_rows(r, rows, ARRAY_N(rows));
    free_rig(r);
}

/* Vulkan arithmetic one ulp off: a violation where nothing is there to rearrange it with, too. */
static void one_operation_alone_is_rounded(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    for (int is_strict = 0; is_strict < 2; is_strict++) {
        struct rig *r = make_rig(ENV_VK, 1);
        const char *frame =
            arena_printf(&r->a, vk_frame, "", is_strict ? "OpDecorate %r NoContraction\n" : "");
        assemble(r, arena_printf(&r->a, "%s%%r = OpFAdd %%f32 %%v %%v\n%s", frame, cl_tail),
                 SPV_ENV_VULKAN_1_1);
        r->in[0] = ONE;
        r->out_after[0] = TWO;
        assert_int_equal(judge_rig(r), VERDICT_OK);
        r->out_after[0] = TWO + 1;
        assert_int_equal(judge_rig(r), VERDICT_ULP);
        free_rig(r);
    }
}

static void refusals_and_uneven_dispatches(void **state)
{
    (void)state;
    COVERS(HOLE_CL_FLOAT);
    COVERS(ND_RANGE);
    struct rig *r = make_rig(ENV_CL, 3);
    assemble(r,
             arena_printf(&r->a, "%s%%r = OpAtomicExchange %%f32 %%cells %%c1 %%c0 %%v\n%s",
                          cl_frame, cl_tail),
             SPV_ENV_UNIVERSAL_1_2);
    r->ob.status = RUN_REJECT;
    assert_int_equal(judge_rig(r), VERDICT_DIVERGENCE);
    assert_int_equal(r->j.findings[0].clause, CLAUSE_HOLE_CL_FLOAT);
    r->ob.status = RUN_DONE;
    assemble(r, arena_printf(&r->a, "%s%%r = OpFAdd %%f32 %%v %%v\n%s", cl_frame, cl_tail),
             SPV_ENV_UNIVERSAL_1_2);
    r->tc.local[0] = 2; /* three items in groups of two: the fourth slot is nobody's */
    memset(r->out_after, 0, 12);
    assert_int_equal(judge_rig(r), VERDICT_OK);
    r->out_after[3] = 0;
    assert_int_equal(judge_rig(r), VERDICT_MASK);
    assert_int_equal(r->j.findings[0].clause, CLAUSE_ND_RANGE);
    assert_int_equal(r->j.n_findings, 1);
    /* the fourth item, which is absent, does not write the first slot */
    r->out_after[0] = ONE;
    assert_int_equal(judge_rig(r), VERDICT_MASK);
    assert_int_equal(r->j.n_findings, 2);
    assert_int_equal(r->j.findings[0].clause, CLAUSE_ND_RANGE);
    assert_int_equal(r->j.findings[1].clause, CLAUSE_ARITH_CR);
    r->out_after[3] = 0xa5a5a5a5;
    assert_int_equal(judge_rig(r), VERDICT_ULP);
    assert_int_equal(r->j.findings[0].clause, CLAUSE_ARITH_CR);
    free_rig(r);
}

/* An item that is absent ends the run where it accesses what lies in no buffer, and not while the program is built. */
static void a_crash_of_an_uneven_dispatch(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, local;
        enum run_phase phase;
        enum clause_id clause;
    } rows[] = {
        {4, 3, PHASE_RUN,
         CLAUSE_ND_RANGE                   }, /* items 4 and 5 are absent, each buffer has four words */
        {3, 2, PHASE_RUN,   CLAUSE_MUST_RUN}, /* item 3 is absent */
        {4, 2, PHASE_RUN,   CLAUSE_MUST_RUN},
        {4, 3, PHASE_BUILD, CLAUSE_MUST_RUN},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(ENV_CL, rows[i].n);
        assemble(r, arena_printf(&r->a, "%s%%r = OpFAdd %%f32 %%v %%v\n%s", cl_frame, cl_tail),
                 SPV_ENV_UNIVERSAL_1_2);
        r->tc.local[0] = rows[i].local;
        r->ob.status = RUN_CRASH;
        r->ob.phase = rows[i].phase;
        assert_int_equal(judge_rig(r), VERDICT_CRASH);
        assert_int_equal(r->j.findings[0].clause, rows[i].clause);
        free_rig(r);
    }
}

/* A value that is another one behind a barrier: what made it is named, whether the value itself is seen,
 * comes through a phi, or goes into an instruction there. */
static void a_value_lost_at_a_barrier(void **state)
{
    (void)state;
    COVERS(NEG_EXACT);
    static const struct {
        const char *after;     /* of the barrier; %n was negated before it */
        uint32_t right, wrong; /* of invocation 0, whose operand is 1; that of the other is 2 */
        const char *named;
    } rows[] = {
        {"%r = OpCopyObject %f32 %n\n",                              (uint32_t)MINUS_ONE, 0xc0000000, "FNegate"},
        {"OpSelectionMerge %m None\nOpBranchConditional %no %a %m\n%a = OpLabel\nOpBranch %m\n"
         "%m = OpLabel\n%r = OpPhi %f32 %n %entry %n %a\n", (uint32_t)MINUS_ONE, 0x12345678, "FNegate"},
        {"%r = OpFSub %f32 %three %n\n",                             0x40800000,          0x40a00000, "FNegate"}, /* 3 + 2 */
        {"%r = OpFSub %f32 %three %n\n",                             0x40800000,          TWO,        "FNegate"}, /* 3 - 1 */
        {"%r = OpFSub %f32 %three %n\n",                             0x40800000,          0x42c80000, "FSub"   },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(ENV_CL, 2);
        const char *text = arena_printf(
            &r->a, "%s%%n = OpFNegate %%f32 %%v\nOpControlBarrier %%c2 %%c2 %%sem\n%s%s", cl_frame,
            rows[i].after, cl_tail);
        const char *at = strstr(text, "%c0 = ");
        text = arena_printf(&r->a,
                            "%.*s%%bool = OpTypeBool\n%%no = OpConstantFalse %%bool\n"
                            "%%c2 = OpConstant %%u32 2\n%%sem = OpConstant %%u32 264\n"
                            "%%three = OpConstant %%f32 3\n%s",
                            (int)(at - text), text, at);
        assemble(r, text, SPV_ENV_UNIVERSAL_1_2);
        r->tc.local[0] = 2;
        r->in[0] = ONE;
        r->in[1] = TWO;
        r->out_after[1] = rows[i].right == (uint32_t)MINUS_ONE ? 0xc0000000 : 0x40a00000;
        r->out_after[0] = rows[i].right;
        assert_int_equal(judge_rig(r), VERDICT_OK);
        r->out_after[0] = rows[i].wrong;
        assert_int_equal(judge_rig(r), VERDICT_ULP);
        assert_string_equal(op_rows[r->j.findings[0].op].name, rows[i].named);
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_of_a_number),
        cmocka_unit_test(compares_selects_and_copies),
        cmocka_unit_test(loads_and_stores_keep_the_bits),
        cmocka_unit_test(negated_snan_in_a_min),
        cmocka_unit_test(one_operation_alone_is_rounded),
        cmocka_unit_test(a_value_lost_at_a_barrier),
        cmocka_unit_test(refusals_and_uneven_dispatches),
        cmocka_unit_test(a_crash_of_an_uneven_dispatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
