/* tests/oracle/test_attribution.c -- what a wrong value is called, by which clause, and what it is said to come of. */
#include <stdio.h>

#include "base/spv.h"
#include "tests/rig/expression_rig.h"

#define NO_FUSING "OpExecutionMode %main ContractionOff\n"

/* A module whose type of 16 bits is an IEEE half, and which is to be one of bfloat16: the assembler of some releases
 * does not know the operand. */
static void make_bfloat(struct rig *r)
{
    enum {
        OP_TYPE_FLOAT = 22,
        WORDS_BEFORE = 3,
        HEADER = 5
    };
    uint32_t *const words = ARENA_NEW(&r->a, uint32_t, r->tc.n_words + 1U);
    uint32_t n = HEADER;
    bool is_made = false;
    assert_non_null(words);
    memcpy(words, r->tc.module, HEADER * sizeof *words);
    for (uint32_t i = HEADER; i < r->tc.n_words; i += r->tc.module[i] >> 16) {
        uint32_t const n_words = r->tc.module[i] >> 16;
        memcpy(&words[n], r->tc.module + i, n_words * sizeof *words);
        if ((words[n] & 0xffff) == OP_TYPE_FLOAT && words[n + 2] == 16 && n_words == WORDS_BEFORE) {
            words[n] = (WORDS_BEFORE + 1) << 16 | OP_TYPE_FLOAT;
            words[n + WORDS_BEFORE] = 0; /* BFloat16KHR */
            n++;
            is_made = true;
        }
        n += n_words;
    }
    assert_true(is_made);
    r->tc.module = words;
    r->tc.n_words = n;
}

/* A sum of 16 bits in private memory: 1 + 1 of bfloat16 is 0x4000, of halves 0x3c00 + 0x3c00 is 0x4000 too. */
static void a_bfloat_sum_cites_its_own_clause(void **state)
{
    (void)state;
    COVERS(FADD_BF16);
    COVERS(FADD_CR);
    static const char text[] =
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Float16\n"
        "OpCapability AtomicFloat16AddEXT\nOpCapability Int16\n"
        "OpExtension \"SPV_EXT_shader_atomic_float16_add\"\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\"\n"
        "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u16 = OpTypeInt 16 0\n%h = OpTypeFloat 16\n"
        "%pu = OpTypePointer CrossWorkgroup %u16\n%ph = OpTypePointer CrossWorkgroup %h\n"
        "%fn = OpTypeFunction %void %ph %pu %pu\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"
        "%main = OpFunction %void None %fn\n%cell = OpFunctionParameter %ph\n"
        "%in = OpFunctionParameter %pu\n%out = OpFunctionParameter %pu\n%entry = OpLabel\n"
        "%i = OpLoad %u16 %in\n%v = OpBitcast %h %i\n"
        "%r = OpAtomicFAddEXT %h %cell %c1 %c0 %v\n"
        "%b = OpBitcast %u16 %r\nOpStore %out %b\nOpReturn\nOpFunctionEnd\n";
    static const struct {
        bool is_bfloat;
        uint32_t one;
        enum clause_id clause;
    } rows[] = {
        {true,  0x3f80, CLAUSE_FADD_BF16},
        {false, 0x3c00, CLAUSE_FADD_CR  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(ENV_CL, 1);
        assemble(r, text, SPV_ENV_UNIVERSAL_1_2);
        if (rows[i].is_bfloat) {
            make_bfloat(r);
        }
        r->in[0] = r->cells[0] = rows[i].one;
        r->cells_after[0] = 0x4000;
        expect_verdict_of(r, "1 + 1", 0xa5a50000 | rows[i].one, VERDICT_OK, CLAUSE_NONE);
        r->cells_after[0] = 0x4100;
        expect_verdict_of(r, "another sum", 0xa5a50000 | rows[i].one, VERDICT_ULP, rows[i].clause);
        free_rig(r);
    }
}

/* x0 x1 + x2 with an overflow on the way: rounded, infinity less infinity, a NaN; fused, -infinity. A number that is
 * neither breaks no rule of NaNs where -infinity is permitted beside the NaN, and does where the NaN alone is. */
static void only_a_nan_is_called_one(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    static const char body[] = "%p = OpFMul %f32 %x0 %x1\n%r = OpFAdd %f32 %p %x2\n";
    static const struct {
        const char *modes;
        enum verdict_kind of_number, of_fused;
    } rows[] = {
        {"",                                       VERDICT_ULP,      VERDICT_OK      },
        {"OpExecutionMode %main ContractionOff\n", VERDICT_NAN_RULE, VERDICT_NAN_RULE},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {ENV_CL, rows[i].modes, "", body, NULL, NULL};
        struct rig *r = make_program(&p);
        r->in[0] = MAX;
        r->in[1] = TWO;
        r->in[2] = 0xff800000;
        expect_verdict_of(r, "infinity less infinity", QNAN, VERDICT_OK, CLAUSE_NONE);
        expect_verdict_of(r, "fused", 0xff800000, rows[i].of_fused,
                          rows[i].of_fused == VERDICT_OK ? CLAUSE_NONE : CLAUSE_ARITH_CR);
        expect_verdict_of(r, "a number", ONE, rows[i].of_number, CLAUSE_ARITH_CR);
        r->in[2] = ONE;
        r->in[1] = ONE;
        r->in[0] = ONE;
        expect_verdict_of(r, "a NaN for a number", QNAN, VERDICT_NAN_RULE, CLAUSE_ARITH_CR);
        free_rig(r);
    }
}

/* A word that still holds what it held was not stored, unless that is zero: then zero is what is seen. */
static void a_zero_is_no_lost_store(void **state)
{
    (void)state;
    COVERS(EVERY_LANE);
    struct program const p = {ENV_CL, "", "", "%r = OpFAdd %f32 %x0 %x1\n", NULL, NULL};
    static const struct {
        uint32_t before, after, x1;
        enum verdict_kind kind;
        enum clause_id clause;
    } rows[] = {
        {0,          0,          TWO,                 VERDICT_ULP,       CLAUSE_ARITH_CR  },
        {0xa5a5a5a5, 0,          TWO,                 VERDICT_ULP,       CLAUSE_ARITH_CR  },
        {0xa5a5a5a5, 0xa5a5a5a5, TWO,                 VERDICT_MASK,      CLAUSE_EVERY_LANE},
        {0,          0,          (uint32_t)MINUS_ONE, VERDICT_OK,        CLAUSE_NONE      },
        {MINUS_ZERO, MINUS_ZERO, (uint32_t)MINUS_ONE, VERDICT_MASK,      CLAUSE_EVERY_LANE},
        {0,          MINUS_ZERO, (uint32_t)MINUS_ONE, VERDICT_ZERO_SIGN, CLAUSE_ARITH_CR  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_program(&p);
        r->out[0] = rows[i].before;
        r->in[0] = ONE;
        r->in[1] = rows[i].x1;
        expect_verdict_of(r, "a sum", rows[i].after, rows[i].kind, rows[i].clause);
        free_rig(r);
    }
}

/* The instruction at which a finding stands. */
static uint32_t op_at(const struct rig *r, uint32_t offset)
{
    assert_in_range(offset, 1, r->tc.n_words - 1);
    return r->tc.module[offset] & 0xffff;
}

/* A word that a copy was to write is told as that copy's, one that a store was to write as of what made the value. */
static void a_lost_copy_is_named_itself(void **state)
{
    (void)state;
    COVERS(EVERY_LANE);
    static const char copied[] = "%r = OpFAdd %f32 %x0 %x1\n"
                                 "%p1 = OpInBoundsPtrAccessChain %pu %out %c1\n"
                                 "%b = OpBitcast %u32 %r\nOpStore %pin2 %b\n";
    static const char plain[] = "OpCopyMemory %p1 %pin2\n";
    static const char by_store[] = "OpStore %p1 %b\n";
    static const struct {
        const char *how;
        uint32_t got, op;
        enum verdict_kind kind;
    } rows[] = {
        {plain,    0xa5a5a5a5, SpvOpCopyMemory, VERDICT_MASK},
        {by_store, 0xa5a5a5a5, SpvOpFAdd,       VERDICT_MASK},
        {plain,    THREE,      0,               VERDICT_OK  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        char body[512];
        (void)snprintf(body, sizeof body, "%s%s", copied, rows[i].how);
        struct program const p = {ENV_CL, "", "", body, NULL, NULL};
        struct rig *r = make_program(&p);
        for (int k = 0; k < 3; k++) {
            r->out[k] = 0xa5a5a5a5;
        }
        r->in[0] = ONE;
        r->in[1] = TWO;
        r->out_after[1] = rows[i].got;
        r->in[2] = THREE;
        enum clause_id const clause = rows[i].op ? CLAUSE_EVERY_LANE : CLAUSE_NONE;
        expect_verdict_of(r, rows[i].how, THREE, rows[i].kind, clause);
        if (rows[i].op) { /* what follows in the block is stored, and then is not */
            assert_int_equal(op_at(r, r->j.findings[0].offset), rows[i].op);
            assert_non_null(strstr(r->j.findings[0].text, "the result is lost, not the "));
            r->out_after[0] = 0xa5a5a5a5;
            assert_int_equal(judge_rig(r), VERDICT_MASK);
            assert_null(strstr(r->j.findings[0].text, "the result is lost"));
        }
        free_rig(r);
    }
}

/* What a word held before is no operand of what follows where the word was not stored: a right sum is no finding, and one of
 * the old content is. */
static void what_is_unwritten_is_no_operand(void **state)
{
    (void)state;
    COVERS(EVERY_LANE);
    struct program const p = {ENV_CL,
                              "",
                              "",
                              "%q = OpFDiv %f32 %x0 %x1\n%r = OpFAdd %f32 %q %x2\n"
                              "%p1 = OpInBoundsPtrAccessChain %pu %out %c1\n"
                              "%b = OpBitcast %u32 %q\nOpStore %p1 %b\n",
                              NULL,
                              NULL};
    static const struct {
        float quotient, sum; /* 1/3 and 4/3 */
        uint32_t n_found;
    } rows[] = {
        {1 / 3.0f, 4 / 3.0f, 0},
        {-17,      4 / 3.0f, 1}, /* unwritten */
        {-17,      -16,      2},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_program(&p);
        r->out[1] = bits_of(-17);
        r->in[0] = ONE;
        r->in[1] = THREE;
        r->in[2] = ONE;
        r->out_after[0] = bits_of(rows[i].sum);
        r->out_after[1] = bits_of(rows[i].quotient);
        (void)judge_rig(r);
        assert_int_equal(r->j.n_found, rows[i].n_found);
        for (uint32_t k = 0; k < r->j.n_findings; k++) {
            assert_int_equal(r->j.findings[k].kind, k ? VERDICT_ULP : VERDICT_MASK);
        }
        free_rig(r);
    }
}

/* x0 + x1 + x1: 1.5, 3 and 4.5, in a loop of two iterations that is left before or behind the sum. */
#define LOOP_WITH_TEST_FIRST                                                                       \
    "OpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %c0 %entry %k2 %cont\n"                            \
    "%acc = OpPhi %f32 %x0 %entry %acc2 %cont\nOpLoopMerge %m %cont None\n"                        \
    "%more = OpULessThan %bool %k %c2\nOpBranchConditional %more %b %m\n%b = OpLabel\n"            \
    "%acc2 = OpFAdd %f32 %acc %x1\nOpBranch %cont\n%cont = OpLabel\n%k2 = OpIAdd %u32 %k %c1\n"    \
    "OpBranch %h\n%m = OpLabel\n"
#define LOOP_WITH_TEST_LAST                                                                        \
    "OpBranch %h\n%h = OpLabel\n%k = OpPhi %u32 %c0 %entry %k2 %cont\n"                            \
    "%acc = OpPhi %f32 %x0 %entry %acc2 %cont\nOpLoopMerge %m %cont None\nOpBranch %b\n"           \
    "%b = OpLabel\n%acc2 = OpFAdd %f32 %acc %x1\n%k2 = OpIAdd %u32 %k %c1\nOpBranch %cont\n"       \
    "%cont = OpLabel\n%more = OpULessThan %bool %k2 %c2\nOpBranchConditional %more %h %m\n"        \
    "%m = OpLabel\n"

/* A loop that is run once too often, or not often enough, is told as that, and the operands that are shown are those of
 * the iteration that should have given the value. A value that no other iteration gives is told as it was. */
static void iterations_more_and_fewer(void **state)
{
    (void)state;
    static const char further[] = "one further iteration", fewer[] = "one iteration fewer";
    static const struct {
        const char *body;
        float right, got;
        const char *told; /* NULL: neither */
        const char *op;
        float operand[2];
    } rows[] = {
        {LOOP_WITH_TEST_FIRST "%r = OpCopyObject %f32 %acc\n", 4.5f, 6,    further, "FAdd", {3, 1.5f}},
        {LOOP_WITH_TEST_FIRST "%r = OpCopyObject %f32 %acc\n", 4.5f, 3,    fewer,   "FAdd", {3, 1.5f}},
        {LOOP_WITH_TEST_FIRST "%r = OpCopyObject %f32 %acc\n", 4.5f, 7,    NULL,    "FAdd", {3, 1.5f}},
        {LOOP_WITH_TEST_FIRST "%r = OpCopyObject %f32 %acc\n", 4.5f, 7.5f, NULL,    "FAdd", {3, 1.5f}},
        {LOOP_WITH_TEST_LAST "%r = OpCopyObject %f32 %acc2\n", 4.5f, 6,    further, "FAdd", {3, 1.5f}},
        {LOOP_WITH_TEST_LAST "%r = OpCopyObject %f32 %acc2\n", 4.5f, 3,    fewer,   "FAdd", {3, 1.5f}},
        {LOOP_WITH_TEST_LAST "%r = OpCopyObject %f32 %acc2\n", 4.5f, 1.5f, NULL,    "FAdd", {3, 1.5f}},
        {LOOP_WITH_TEST_FIRST "%r = OpFMul %f32 %acc %x2\n",   9,    12,   further, "FMul", {4.5f, 2}},
        {LOOP_WITH_TEST_FIRST "%r = OpFMul %f32 %acc %x2\n",   9,    6,    fewer,   "FMul", {4.5f, 2}},
        {LOOP_WITH_TEST_FIRST "%r = OpFMul %f32 %acc %x2\n",   9,    5,    NULL,    "FMul", {4.5f, 2}},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {ENV_CL, NO_FUSING, "", rows[i].body, NULL, NULL};
        struct rig *r = make_program(&p);
        r->in[0] = r->in[1] = bits_of(1.5f);
        r->in[2] = TWO;
        r->out_after[0] = bits_of(rows[i].right);
        assert_int_equal(judge_rig(r), VERDICT_OK);
        expect_verdict_of(r, rows[i].body, bits_of(rows[i].got), VERDICT_ULP, CLAUSE_ARITH_CR);
        const struct finding *const f = &r->j.findings[0];
        assert_string_equal(op_rows[f->op].name, rows[i].op);
        assert_int_equal(f->n_operands, 2);
        assert_int_equal(f->operand[0], bits_of(rows[i].operand[0]));
        assert_int_equal(f->operand[1], bits_of(rows[i].operand[1]));
        bool const tells_further = strstr(f->text, further) != NULL;
        bool const tells_fewer = strstr(f->text, fewer) != NULL;
        if (tells_further != (rows[i].told == further) || tells_fewer != (rows[i].told == fewer)) {
            fail_msg("row %zu: %s", i, f->text);
        }
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bfloat_sum_cites_its_own_clause),
        cmocka_unit_test(only_a_nan_is_called_one),
        cmocka_unit_test(a_zero_is_no_lost_store),
        cmocka_unit_test(a_lost_copy_is_named_itself),
        cmocka_unit_test(what_is_unwritten_is_no_operand),
        cmocka_unit_test(iterations_more_and_fewer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
