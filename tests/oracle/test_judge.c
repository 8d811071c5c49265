/* tests/oracle/test_judge.c -- verdicts on atomics, statuses and broken modules, by the text of the clauses. */
#include "tests/rig/judge_rig.h"

static void run_opencl_rows(const char *op, const struct row *rows, size_t n)
{
    struct rig *r = make_rig(ENV_CL, 1);
    assemble(
        r, arena_printf(&r->a, "%s%%r = %s %%f32 %%cells %%c1 %%c0 %%v\n%s", cl_frame, op, cl_tail),
        SPV_ENV_UNIVERSAL_1_2);
    judge_rows(r, rows, n);
    free_rig(r);
}

static void min_by_the_table(void **state)
{
    /* SHOWS(MIN_TWO_QUIET_NANS, FA_MM_QUIET_NAN, FA_MM_TWO_NANS) */
    (void)state;
    COVERS(FMIN_NAN);
    COVERS(FMIN_NUMBER);
    static const struct row rows[] = {
        {"min", TWO,                 ONE,        TWO,                 ONE,                 VERDICT_OK       },
        {"min", TWO,                 ONE,        TWO,                 TWO,                 VERDICT_ULP      },
        {"min", TWO,                 ONE,        ONE,                 ONE,                 VERDICT_ULP      },
        {"min", (uint32_t)MINUS_ONE, ONE,        (uint32_t)MINUS_ONE, (uint32_t)MINUS_ONE, VERDICT_OK       },
        {"min", 0,                   MINUS_ZERO, 0,                   0,                   VERDICT_OK       },
        {"min", 0,                   MINUS_ZERO, 0,                   MINUS_ZERO,          VERDICT_OK       },
        {"min", 0,                   0,          0,                   MINUS_ZERO,          VERDICT_ZERO_SIGN},
        {"min", QNAN,                ONE,        QNAN,                ONE,                 VERDICT_OK       },
        {"min", QNAN,                ONE,        QNAN,                QNAN,                VERDICT_NAN_RULE },
        {"min", ONE,                 QNAN,       ONE,                 QNAN,                VERDICT_NAN_RULE },
        {"min", ONE,                 QNAN,       ONE,                 ONE,                 VERDICT_OK       },
        {"min", QNAN,                QNAN | 5,   QNAN,                QNAN | 9,            VERDICT_OK       },
        {"min", QNAN,                QNAN,       QNAN,                ONE,                 VERDICT_NAN_RULE },
        {"min", ONE,                 SNAN,       ONE,                 ONE,                 VERDICT_OK       },
        {"min", ONE,                 SNAN,       ONE,                 QNAN,                VERDICT_OK       },
        {"min", ONE,                 SNAN,       ONE,                 TWO,                 VERDICT_NAN_RULE },
        {"min", PLUS_INF,            MAX,        PLUS_INF,            MAX,                 VERDICT_OK       },
        {"min", TINY,                ONE,        TINY,                TINY,                VERDICT_OK       },
        {"min", TINY,                ONE,        TINY,                0,                   VERDICT_ULP      },
    };
    run_opencl_rows("OpAtomicFMinEXT", rows, ARRAY_N(rows));
}

static void add_is_correctly_rounded(void **state)
{
    (void)state;
    COVERS(FADD_CR);
    COVERS(EVERY_LANE);
    static const struct row rows[] = {
        {"add", ONE,        TWO,                 ONE,        THREE,      VERDICT_OK       },
        {"add", ONE,        TWO,                 ONE,        THREE + 1,  VERDICT_ULP      },
        {"add", ONE,        TWO,                 ONE,        ONE,        VERDICT_ATOMICITY}, /* as if it were lost */
        {"add", 0x4b800000, ONE,                 0x4b800000, 0x4b800000, VERDICT_OK       }, /* 2^24 + 1: tie to even */
        {"add", 0x4b800000, ONE,                 0x4b800000, 0x4b800001, VERDICT_ULP      },
        {"add", MAX,        MAX,                 MAX,        PLUS_INF,   VERDICT_OK       },
        {"add", 0x7f000000, MAX,                 0x7f000000, MAX,        VERDICT_ULP      },
        {"add", ONE,        (uint32_t)MINUS_ONE, ONE,        0,          VERDICT_OK       },
        {"add", ONE,        (uint32_t)MINUS_ONE, ONE,        MINUS_ZERO, VERDICT_ZERO_SIGN},
        {"add", PLUS_INF,   0xff800000,          PLUS_INF,   QNAN | 77,  VERDICT_OK       },
        {"add", PLUS_INF,   0xff800000,          PLUS_INF,   PLUS_INF,   VERDICT_NAN_RULE },
        {"add", TINY,       TINY,                TINY,       2,          VERDICT_OK       },
        {"add", TINY,       TINY,                TINY,       0,          VERDICT_ULP      },
        {"add", ONE,        TWO,                 0xa5a5a5a5, THREE,      VERDICT_MASK     }, /* the store never happened */
    };
    run_opencl_rows("OpAtomicFAddEXT", rows, ARRAY_N(rows));
}

static void flush_where_the_device_may(void **state)
{
    (void)state;
    COVERS(DENORM_DEFAULT);
    struct rig *r = make_rig(ENV_CL, 1);
    r->ob.facts = "cl.fp32_config=0x3e\n"; /* no CL_FP_DENORM */
    assemble(r,
             arena_printf(&r->a, "%s%%r = OpAtomicFAddEXT %%f32 %%cells %%c1 %%c0 %%v\n%s",
                          cl_frame, cl_tail),
             SPV_ENV_UNIVERSAL_1_2);
    static const struct row rows[] = {
        {"add", TINY, TINY, TINY, 2,          VERDICT_OK },
        {"add", TINY, TINY, TINY, 0,          VERDICT_OK },
        {"add", TINY, TINY, TINY, MINUS_ZERO, VERDICT_OK },
        {"add", TINY, ONE,  TINY, ONE,        VERDICT_OK },
        {"add", TINY, TINY, TINY, 3,          VERDICT_ULP},
    };
    judge_rows(r, rows, ARRAY_N(rows));
    free_rig(r);
}

static const char keeps_special[] = "OpCapability SignedZeroInfNanPreserve\n";
static const char keeps_special_of_32[] = "OpExecutionMode %main SignedZeroInfNanPreserve 32\n";

static void run_vulkan_op(const char *op, const char *capability, const char *mode,
                          const struct row *rows, size_t n)
{
    struct rig *r = make_rig(ENV_VK, 1);
    const char *frame = arena_printf(&r->a, vk_frame, capability, mode);
    assemble(r,
             arena_printf(&r->a, "%s%%r = %s %%f32 %%cell %%c1 %%c0 %%v\n%s", frame, op, cl_tail),
             SPV_ENV_VULKAN_1_1);
    judge_rows(r, rows, n);
    free_rig(r);
}

static void run_vulkan_rows(const char *capability, const char *mode, const struct row *rows,
                            size_t n)
{
    run_vulkan_op("OpAtomicFMinEXT", capability, mode, rows, n);
}

static void exchange_keeps_the_bits(void **state)
{
    (void)state;
    COVERS(EXCH_EXACT);
    static const struct row rows[] = {
        {"exchange", ONE,      TWO,        ONE,         TWO,  VERDICT_OK        },
        {"exchange", ONE,      TWO,        TWO,         TWO,  VERDICT_ATOMICITY },
        {"exchange", ONE,      TWO,        ONE,         ONE,  VERDICT_ATOMICITY },
        {"exchange", SNAN,     SNAN,       SNAN,        SNAN, VERDICT_OK        },
        {"exchange", SNAN,     ONE,        SNAN | QNAN, ONE,  VERDICT_OK        }, /* quieted on the way */
        {"exchange", QNAN | 3, ONE,        QNAN | 4,    ONE,  VERDICT_NAN_RULE  },
        {"exchange", 0,        MINUS_ZERO, 0,           0,    VERDICT_ZERO_SIGN },
        {"exchange", ONE,      TINY,       ONE,         0,    VERDICT_DIVERGENCE}, /* no clause on flushing */
    };
    run_vulkan_op("OpAtomicExchange", keeps_special, keeps_special_of_32, rows, ARRAY_N(rows));
}

static void vulkan_nan_rules_need_a_mode(void **state)
{
    /* SHOWS(MM_OF_VULKAN) */
    (void)state;
    COVERS(NOT_NAN_INF);
    COVERS(SZINP_ATOMICS);
    static const struct row without[] = {
        {"min", TWO, ONE,  TWO, ONE,        VERDICT_OK },
        {"min", TWO, ONE,  TWO, TWO,        VERDICT_ULP},
        {"min", ONE, QNAN, ONE, QNAN,       VERDICT_OK }, /* undefined */
        {"min", 0,   0,    0,   MINUS_ZERO, VERDICT_OK },
    };
    run_vulkan_rows("", "", without, ARRAY_N(without));
    static const struct row with_szinp[] = {
        {"min", TWO, ONE,  TWO, ONE,        VERDICT_OK        },
        {"min", ONE, QNAN, ONE, ONE,        VERDICT_OK        },
        {"min", ONE, QNAN, ONE, QNAN,       VERDICT_DIVERGENCE},
        {"min", 0,   0,    0,   MINUS_ZERO, VERDICT_DIVERGENCE},
        {"min", TWO, ONE,  TWO, TWO,        VERDICT_ULP       },
    };
    run_vulkan_rows(keeps_special, keeps_special_of_32, with_szinp, ARRAY_N(with_szinp));
}

static void denorm_modes_bind(void **state)
{
    (void)state;
    COVERS(DENORM_PRESERVE);
    COVERS(DENORM_FLUSH);
    static const struct row preserve[] = {
        {"min", 5, ONE, 5, 5, VERDICT_OK },
        {"min", 5, ONE, 5, 0, VERDICT_ULP},
    };
    run_vulkan_rows("OpCapability DenormPreserve\n", "OpExecutionMode %main DenormPreserve 32\n",
                    preserve, ARRAY_N(preserve));
    static const struct row flush[] = {
        {"min", 5, ONE, 5, 0, VERDICT_OK },
        {"min", 5, ONE, 5, 5, VERDICT_ULP},
    };
    run_vulkan_rows("OpCapability DenormFlushToZero\n",
                    "OpExecutionMode %main DenormFlushToZero 32\n", flush, ARRAY_N(flush));
}

/* Plain arithmetic on the input, no atomic: in[0] op 3. */
static void arithmetic_and_fusing(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    COVERS(DIV_BY_ZERO);
    COVERS(DIV_ULP);
    COVERS(NEG_EXACT);
    static const struct {
        const char *body;
        uint32_t in, out;
        enum verdict_kind want;
    } rows[] = {
        {"%r = OpFAdd %f32 %v %v\n",                                       ONE,   TWO,        VERDICT_OK       },
        {"%r = OpFAdd %f32 %v %v\n",                                       ONE,   TWO + 1,    VERDICT_ULP      },
        {"%r = OpFMul %f32 %v %v\n",                                       THREE, 0x41100000, VERDICT_OK       },
        {"%r = OpFMul %f32 %v %v\n",                                       THREE, 0x41100001, VERDICT_ULP      },
        {"%r = OpFNegate %f32 %v\n",                                       0,     MINUS_ZERO, VERDICT_OK       },
        {"%r = OpFNegate %f32 %v\n",                                       0,     0,          VERDICT_ZERO_SIGN},
        {"%d = OpFAdd %f32 %v %v\n%r = OpFDiv %f32 %v %d\n",               THREE, 0x3f000000, VERDICT_OK       },
        {"%d = OpFAdd %f32 %v %v\n%r = OpFDiv %f32 %v %d\n",               THREE, 0x3f000001,
         VERDICT_OK                                                                                            }, /* ulp halves below */
        {"%d = OpFAdd %f32 %v %v\n%r = OpFDiv %f32 %v %d\n",               THREE, 0x3f000002, VERDICT_ULP      },
        {"%z = OpFSub %f32 %v %v\n%r = OpFDiv %f32 %v %z\n",               THREE, PLUS_INF,   VERDICT_OK       },
        {"%z = OpFSub %f32 %v %v\n%r = OpFDiv %f32 %v %z\n",               THREE, THREE,      VERDICT_ULP      },
        {"%b = OpFOrdLessThan %bool %v %v\n%r = OpSelect %f32 %b %v %v\n", ONE,   ONE,        VERDICT_OK       },
    };
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++, n++) {
        struct rig *r = make_rig(ENV_CL, 1);
        const char *text = arena_printf(&r->a, "%s%s%s", cl_frame, rows[i].body, cl_tail);
        if (strstr(rows[i].body, "%bool")) {
            const char *at = strstr(text, "%void = ");
            text = arena_printf(&r->a, "%.*s%%bool = OpTypeBool\n%s", (int)(at - text), text, at);
        }
        assemble(r, text, SPV_ENV_UNIVERSAL_1_2);
        r->in[0] = rows[i].in;
        r->out_after[0] = rows[i].out;
        enum verdict_kind const got = judge_rig(r);
        if (got != rows[i].want) {
            fail_msg("row %zu: %s, want %s: %s", i, verdict_rows[got].name,
                     verdict_rows[rows[i].want].name,
                     r->j.n_findings ? r->j.findings[0].text : r->j.note);
        }
        /* the bound of a quotient, 2.5 ulps, is loose; a quotient by zero has one value */
        bool const is_loose = strstr(rows[i].body, "OpFDiv %f32 %v %d") != NULL;
        assert_true(r->j.n_judged > 0);
        assert_int_equal(r->j.n_tight, is_loose ? 0 : r->j.n_judged);
        free_rig(r);
    }
    assert_true(n > 0);
}

/* (1 + 2^-23)^2 - (1 + 2^-22): 0 when the product is rounded first, 2^-46 when fused. */
static void fusing_only_without_contraction_off(void **state)
{
    (void)state;
    COVERS(ARITH_CONTRACT);
    for (int off = 0; off < 2; off++) {
        struct rig *r = make_rig(ENV_CL, 1);
        const char *text =
            arena_printf(&r->a, "%s%%m = OpFMul %%f32 %%v %%v\n%%r = OpFSub %%f32 %%m %%k\n%s",
                         cl_frame, cl_tail);
        const char *at = strstr(text, "%c0 = ");
        text = arena_printf(&r->a, "%.*s%%k = OpConstant %%f32 0x1.000004p+0\n%s", (int)(at - text),
                            text, at);
        if (!off) {
            const char *mode = strstr(text, "OpExecutionMode %main ContractionOff\n");
            text = arena_printf(&r->a, "%.*s%s", (int)(mode - text), text,
                                mode + strlen("OpExecutionMode %main ContractionOff\n"));
        }
        assemble(r, text, SPV_ENV_UNIVERSAL_1_2);
        r->in[0] = ONE + 1;
        r->out_after[0] = 0;
        assert_int_equal(judge_rig(r), VERDICT_OK);
        r->out_after[0] = 0x28800000; /* 2^-46 */
        assert_int_equal(judge_rig(r), off ? VERDICT_ULP : VERDICT_OK);
        free_rig(r);
    }
}

/* Three invocations add 1, 2, 4 to one cell: every order, and nothing but an order. */
static void contended_adds_are_chained(void **state)
{
    (void)state;
    COVERS(RMW_CHAIN);
    struct rig *r = make_rig(ENV_CL, 3);
    assemble(r,
             arena_printf(&r->a, "%s%%r = OpAtomicFAddEXT %%f32 %%cells %%c1 %%c0 %%v\n%s",
                          cl_frame, cl_tail),
             SPV_ENV_UNIVERSAL_1_2);
    static const float add[3] = {1, 2, 4};
    float const sum = 7;
    memcpy(r->in, add, sizeof add);
    memcpy(r->cells_after, &sum, sizeof sum);
    static const int orders[6][3] = {
        {0, 1, 2},
        {0, 2, 1},
        {1, 0, 2},
        {1, 2, 0},
        {2, 0, 1},
        {2, 1, 0}
    };
    for (int o = 0; o < 6; o++) {
        float at = 0;
        for (int k = 0; k < 3; k++) {
            memcpy(&r->out_after[orders[o][k]], &at, sizeof at);
            at += add[orders[o][k]];
        }
        assert_int_equal(judge_rig(r), VERDICT_OK);
        assert_int_equal(r->j.n_contended, 1);
        r->out_after[orders[o][1]] = r->out_after[orders[o][0]]; /* two see the same original */
        assert_int_equal(judge_rig(r), VERDICT_ATOMICITY);
    }
    free_rig(r);
}

static void untouched_bytes_and_guards(void **state)
{
    (void)state;
    COVERS(OUT_OF_BOUNDS);
    struct rig *r = make_rig(ENV_CL, 1);
    assemble(r, arena_printf(&r->a, "%s%%r = OpFAdd %%f32 %%v %%v\n%s", cl_frame, cl_tail),
             SPV_ENV_UNIVERSAL_1_2);
    r->in[0] = ONE;
    r->out_after[0] = TWO;
    assert_int_equal(judge_rig(r), VERDICT_OK);
    r->out_after[2] ^= 1;
    assert_int_equal(judge_rig(r), VERDICT_CORRUPT);
    r->out_after[2] ^= 1;
    r->ob.guard_hits = 1;
    assert_int_equal(judge_rig(r), VERDICT_CORRUPT);
    free_rig(r);
}

static void statuses_are_verdicts(void **state)
{
    (void)state;
    COVERS(MUST_ACCEPT);
    COVERS(MUST_RUN);
    static const struct {
        enum run_status status;
        enum verdict_kind want;
    } rows[] = {
        {RUN_REJECT,      VERDICT_REJECT      },
        {RUN_CRASH,       VERDICT_CRASH       },
        {RUN_HANG,        VERDICT_HANG        },
        {RUN_EXIT,        VERDICT_EXIT        },
        {RUN_DEVICE_LOST, VERDICT_DEVICE_LOST },
        {RUN_HARNESS,     VERDICT_INCONCLUSIVE}
    };
    struct rig *r = make_rig(ENV_CL, 1);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        r->ob.status = rows[i].status;
        assert_int_equal(judge_rig(r), rows[i].want);
    }
    r->ob.status = RUN_REJECT;
    r->tc.class = CLASS_UNADVERTISED;
    assert_int_equal(judge_rig(r), VERDICT_OK);
    free_rig(r);
}

/* How a driver ends of a module that breaks a rule: by its environment and phase. */
static void ends_of_an_illegal_case(void **state)
{
    (void)state;
    COVERS(INVALID_BUILD);
    COVERS(INVALID_UNDEFINED);
    static const struct {
        enum env env;
        enum run_status status;
        enum run_phase phase;
        enum verdict_kind want;
        enum clause_id clause; /* of the finding; NONE: there is none */
    } rows[] = {
        {ENV_CL, RUN_REJECT,      PHASE_BUILD, VERDICT_OK,              CLAUSE_NONE             },
        {ENV_CL, RUN_DONE,        PHASE_DONE,  VERDICT_ACCEPTS_INVALID, CLAUSE_NONE             },
        {ENV_CL, RUN_CRASH,       PHASE_BUILD, VERDICT_CRASH,           CLAUSE_INVALID_BUILD    },
        {ENV_CL, RUN_HANG,        PHASE_BUILD, VERDICT_HANG,            CLAUSE_INVALID_BUILD    },
        {ENV_CL, RUN_EXIT,        PHASE_BUILD, VERDICT_EXIT,            CLAUSE_INVALID_BUILD    },
        {ENV_CL, RUN_CRASH,       PHASE_RUN,   VERDICT_DIVERGENCE,      CLAUSE_INVALID_UNDEFINED},
        {ENV_VK, RUN_REJECT,      PHASE_BUILD, VERDICT_OK,              CLAUSE_NONE             },
        {ENV_VK, RUN_DONE,        PHASE_DONE,  VERDICT_ACCEPTS_INVALID, CLAUSE_NONE             },
        {ENV_VK, RUN_CRASH,       PHASE_BUILD, VERDICT_DIVERGENCE,      CLAUSE_INVALID_UNDEFINED},
        {ENV_VK, RUN_HANG,        PHASE_RUN,   VERDICT_DIVERGENCE,      CLAUSE_INVALID_UNDEFINED},
        {ENV_VK, RUN_DEVICE_LOST, PHASE_RUN,   VERDICT_DIVERGENCE,      CLAUSE_INVALID_UNDEFINED},
    };
    struct rig *r = make_rig(ENV_CL, 1);
    r->tc.class = CLASS_ILLEGAL;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        r->tc.env = rows[i].env;
        r->ob.status = rows[i].status;
        r->ob.phase = rows[i].phase;
        assert_int_equal(judge_rig(r), rows[i].want);
        assert_int_equal(r->j.n_findings, rows[i].clause != CLAUSE_NONE);
        assert_true(r->j.n_findings == 0 || r->j.findings[0].clause == rows[i].clause);
    }
    free_rig(r);
}

/* The one instruction among the atomics that no device need have: nothing is said of what it gives. */
static void an_atomic_that_is_not_interpreted(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "OpAtomicCompareExchange %u32 %pin %c1 %c0 %c0 %c1 %c0",
        "OpAtomicCompareExchangeWeak %u32 %pin %c1 %c0 %c0 %c1 %c0",
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(ENV_CL, 1);
        const char *at = strstr(cl_frame, "%vin = ");
        assert_non_null(at);
        assemble(r,
                 arena_printf(&r->a,
                              "%.*s%%i = %s\n"
                              "%%pout = OpInBoundsPtrAccessChain %%pu %%out %%id\n"
                              "OpStore %%pout %%i\nOpReturn\nOpFunctionEnd\n",
                              (int)(at - cl_frame), cl_frame, rows[i]),
                 SPV_ENV_UNIVERSAL_1_2);
        r->out_after[0] = 7; /* 0 was there */
        assert_int_equal(judge_rig(r), i == 0 ? VERDICT_ATOMICITY : VERDICT_INCONCLUSIVE);
        assert_string_equal(r->j.note, i == 0 ? "" : "an atomic that is not interpreted");
        free_rig(r);
    }
}

/* Any words at all: an error or a judgement, never a crash. */
static void broken_modules_are_safe(void **state)
{
    (void)state;
    struct rig *r = make_rig(ENV_CL, 2);
    assemble(r,
             arena_printf(&r->a, "%s%%r = OpAtomicFAddEXT %%f32 %%cells %%c1 %%c0 %%v\n%s",
                          cl_frame, cl_tail),
             SPV_ENV_UNIVERSAL_1_2);
    uint32_t *words = arena_copy(&r->a, r->tc.module, r->tc.n_words * 4);
    struct rng rng = rng_seed(1);
    size_t n = 0;
    for (int i = 0; i < 2000; i++) {
        struct arena a;
        struct err e = {0};
        arena_init(&a, 64 << 20);
        uint32_t const at = (uint32_t)rng_below(&rng, r->tc.n_words);
        uint32_t const before = words[at];
        words[at] =
            rng_below(&rng, 2) ? (uint32_t)rng_below(&rng, 64) : before ^ 1U << rng_below(&rng, 32);
        r->tc.module = words;
        enum res const res = judge_run(&r->tc, &r->ob, &a, &r->j, &e);
        assert_true(res == RES_OK || e.text[0] != '\0');
        words[at] = before;
        arena_free(&a);
        n++;
    }
    assert_true(n > 0);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(min_by_the_table),
        cmocka_unit_test(add_is_correctly_rounded),
        cmocka_unit_test(exchange_keeps_the_bits),
        cmocka_unit_test(flush_where_the_device_may),
        cmocka_unit_test(vulkan_nan_rules_need_a_mode),
        cmocka_unit_test(denorm_modes_bind),
        cmocka_unit_test(arithmetic_and_fusing),
        cmocka_unit_test(fusing_only_without_contraction_off),
        cmocka_unit_test(contended_adds_are_chained),
        cmocka_unit_test(untouched_bytes_and_guards),
        cmocka_unit_test(statuses_are_verdicts),
        cmocka_unit_test(ends_of_an_illegal_case),
        cmocka_unit_test(an_atomic_that_is_not_interpreted),
        cmocka_unit_test(broken_modules_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
