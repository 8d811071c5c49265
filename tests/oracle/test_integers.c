/* tests/oracle/test_integers.c -- integer, logical and bit instructions by values worked by hand: the simulated device
 * is interpreted by the same code, so that nothing else would show a mistake there. */
#include "tests/rig/expression_rig.h"

/* Two loaded operands, and whatever `body` makes of them in %n, which is stored; decorations come first in it. */
static struct rig *make_module(const char *body)
{
    struct rig *r = make_rig(ENV_CL, 1);
    const char *model = strstr(cl_frame, "OpMemoryModel");
    const char *at = strstr(cl_frame, "%c0 = ");
    assert_true(model && at);
    const char *code = body; /* behind what is decorated */
    while (strncmp(code, "OpDecorate", strlen("OpDecorate")) == 0) {
        code = strchr(code, '\n') + 1;
    }
    assemble(r,
             arena_printf(&r->a,
                          "OpCapability Int8\nOpCapability Int16\n%.*s"
                          "%%std = OpExtInstImport \"OpenCL.std\"\n%.*s%.*s%%bool = OpTypeBool\n"
                          "%%pair = OpTypeStruct %%u32 %%u32\n"
                          "%%u8 = OpTypeInt 8 0\n%%u16 = OpTypeInt 16 0\n"
                          "%%s2 = OpTypeVector %%u16 2\n%%w2 = OpTypeVector %%u32 2\n%%w3 = "
                          "OpTypeVector %%u32 3\n"
                          "%%b2 = OpTypeVector %%bool 2\n%%c4 = OpConstant %%u32 4\n%s"
                          "%%pin1 = OpInBoundsPtrAccessChain %%pu %%in %%c1\n"
                          "%%win = OpLoad %%u32 %%pin1\n%sOpStore %%pout %%n\n"
                          "OpReturn\nOpFunctionEnd\n",
                          (int)(model - cl_frame), cl_frame, (int)(at - model), model,
                          (int)(code - body), body, at, code),
             SPV_ENV_UNIVERSAL_1_2);
    return r;
}

static enum verdict_kind judge_of(struct rig *r, uint32_t a, uint32_t b, uint32_t got)
{
    r->in[0] = a;
    r->in[1] = b;
    r->out_after[0] = got;
    return judge_rig(r);
}

/* The result is `want` and nothing else. */
static void expect(const char *body, uint32_t a, uint32_t b, uint32_t want)
{
    struct rig *r = make_module(body);
    for (int bit = -1; bit < 32; bit++) {
        bool const is_right = bit < 0;
        uint32_t const got = is_right ? want : want ^ (uint32_t)1 << bit;
        enum verdict_kind const is = judge_of(r, a, b, got);
        if (is != (is_right ? VERDICT_OK : VERDICT_ULP) || r->j.n_judged == 0) {
            fail_msg("%sof %08x and %08x: %08x is %s: %s", body, a, b, got, verdict_rows[is].name,
                     r->j.n_findings ? r->j.findings[0].text : r->j.note);
        }
    }
    free_rig(r);
}

#define FROM_BOOL "%n = OpSelect %u32 %y %c1 %c0\n"
/* The low bits of the operands, or 64 with their sign. */
#define TAKE(type)          "%a = OpSConvert %" type " %vin\n%b = OpSConvert %" type " %win\n"
#define NUMBER_OF(type, op) TAKE(type) "%y = Op" op " %" type " %a %b\n%n = OpUConvert %u32 %y\n"
#define BOOL_OF(type, op)   TAKE(type) "%y = Op" op " %bool %a %b\n" FROM_BOOL
#define OF_8(op)            NUMBER_OF("u8", op)
#define OF_16(op)           NUMBER_OF("u16", op)
#define OF_32(op)           "%n = Op" op " %u32 %vin %win\n"
#define OF_64(op)           NUMBER_OF("u64", op)
#define LOW_8_BY(op)        "%a = OpUConvert %u8 %vin\n%n = Op" op " %u32 %a\n"

struct binary_row {
    const char *body;
    uint32_t a, b, want;
};

static void expect_rows(const struct binary_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        expect(rows[i].body, rows[i].a, rows[i].b, rows[i].want);
    }
}

static void arithmetic_and_bits(void **state)
{
    (void)state;
    COVERS(COPY_EXACT);
    static const struct binary_row rows[] = {
        {OF_32("IAdd"),                 0xffffffff, 2,       1         },
        {OF_32("ISub"),                 1,          2,       0xffffffff},
        {OF_32("IMul"),                 0x10001,    0x10001, 0x20001   },
        {OF_32("UDiv"),                 0xfffffffe, 3,       0x55555554},
        {OF_32("UMod"),                 0xfffffffe, 3,       2         },
        {OF_32("BitwiseAnd"),           12,         10,      8         },
        {OF_32("BitwiseOr"),            12,         10,      14        },
        {OF_32("BitwiseXor"),           12,         10,      6         },
        {OF_32("ShiftLeftLogical"),     0x80000003, 1,       6         },
        {OF_32("ShiftLeftLogical"),     1,          31,      0x80000000},
        {OF_32("ShiftRightLogical"),    0x80000003, 1,       0x40000001},
        {OF_32("ShiftRightArithmetic"), 0x80000003, 1,       0xc0000001},
        {OF_32("ShiftRightArithmetic"), 0x80000000, 31,      0xffffffff},
        {OF_8("IAdd"),                  0xff,       2,       1         },
        {OF_8("UDiv"),                  0x1fe,      0x102,   0x7f      },
        {OF_8("ShiftRightArithmetic"),  0x80,       7,       0xff      },
        {OF_16("ISub"),                 0,          1,       0xffff    },
        {OF_16("ShiftRightArithmetic"), 0x8000,     15,      0xffff    },
        {OF_16("ShiftRightLogical"),    0x8000,     15,      1         },
        {OF_64("ShiftRightLogical"),    0xffffffff, 33,      0x7fffffff},
        {OF_64("ShiftRightArithmetic"), 0xffffffff, 33,      0xffffffff},
        {OF_64("UMod"),                 0xffffffff, 10,      5         }, /* of 2^64 - 1 */
        {LOW_8_BY("UConvert"),          0x180,      0,       0x80      },
        {LOW_8_BY("SConvert"),          0x180,      0,       0xffffff80},
        {LOW_8_BY("SConvert"),          0x17f,      0,       0x7f      },
        {"%n = OpNot %u32 %vin\n",      12,         0,       0xfffffff3},
        {"%n = OpSNegate %u32 %vin\n",  1,          0,       0xffffffff},
    };
    expect_rows(rows, ARRAY_N(rows));
}

#define PAIR_OF(op, k) "%y = Op" op " %pair %vin %win\n%n = OpCompositeExtract %u32 %y " k "\n"
#define VECTOR         "%vv = OpCompositeConstruct %w2 %vin %win\n%ix = OpBitwiseOr %u32 %vin %vin\n"
#define VOTE(op)                                                                                   \
    "%vv = OpCompositeConstruct %w2 %vin %win\n%z = OpCompositeConstruct %w2 %c0 %c0\n"            \
    "%t = OpINotEqual %b2 %vv %z\n%y = Op" op " %bool %t\n" FROM_BOOL

static void quotients_pairs_and_places(void **state)
{
    (void)state;
    COVERS(INT_EXACT);
    static const struct binary_row rows[] = {
        {OF_32("SDiv"),        0xfffffff9, 2,0xfffffffd            },
        {OF_32("SRem"),        0xfffffff9, 2,0xffffffff            },
        {OF_32("SMod"),        0xfffffff9, 2,1                     },
        {OF_32("SMod"),        7,          0xfffffffe,0xffffffff            },
        {OF_8("SDiv"),         0x81,       0xff,0x7f                  },
        {PAIR_OF("IAddCarry",  "0"),       0xffffffff,2,                      1},
        {PAIR_OF("IAddCarry",                    "1"),            0xffffffff,2,1},
        {PAIR_OF("IAddCarry",                   "1"),                             0xfffffffd,2,                      0},
        {PAIR_OF("ISubBorrow",                   "0"),                            1,                  2,0xffffffff},
        {PAIR_OF("ISubBorrow",                   "1"), 1,2,1},
        {PAIR_OF("ISubBorrow","1"),       2,                                 2,                                                                                                                               0},
        {PAIR_OF("UMulExtended", "1"),          0xffffffff,0xffffffff,0xfffffffe},
        {PAIR_OF("SMulExtended",                    "1"),         0xffffffff,2,0xffffffff},
        {PAIR_OF("SMulExtended",          "0"),                    0xffffffff,2,       0xfffffffe},
        {"%n = OpBitCount %u32 %vin\n",                   0xf0f,                   0,               8                                                                             },
        {VECTOR "%n = OpVectorExtractDynamic %u32 %vv %ix\n",          0,9,0       },
        {VECTOR "%n = OpVectorExtractDynamic %u32 %vv %ix\n",1,9,9},
        {VECTOR "%t = OpVectorInsertDynamic %w2 %vv %c4 %ix\n"
                "%n = OpCompositeExtract %u32 %t 1\n",          1,                    9,4},
        {VECTOR "%t = OpVectorInsertDynamic %w2 %vv %c4 %ix\n"
                "%n = OpCompositeExtract %u32 %t 1\n",                       0,                                             9,                                                                        9                                                                                                                                                                                                                                                     },
        {VOTE("Any"),          0,7,1                    },
        {VOTE("Any"),0,0,0},
        {VOTE("All"),          0,                    7,0},
        {VOTE("All"),                       5,                                                                       7,                                                                                                                                                                                     1                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             },
    };
    expect_rows(rows, ARRAY_N(rows));
}

#define FUNC(name)   "%n = OpExtInst %u32 %std " name " %vin %win\n"
#define FUNC_1(name) "%n = OpExtInst %u32 %std " name " %vin\n"
#define FUNC_3(name) "%n = OpExtInst %u32 %std " name " %vin %win %c4\n"
#define FUNC_8(name) TAKE("u8") "%y = OpExtInst %u8 %std " name " %a %b\n%n = OpUConvert %u32 %y\n"

static void functions(void **state)
{
    (void)state;
    COVERS(INT_FUNC);
    static const struct binary_row rows[] = {
        {FUNC_1("s_abs"),     0x80000000, 0,          0x80000000},
        {FUNC("s_abs_diff"),  0x80000000, 0x7fffffff, 0xffffffff},
        {FUNC("s_add_sat"),   0x7fffffff, 1,          0x7fffffff},
        {FUNC("u_add_sat"),   0xffffffff, 1,          0xffffffff},
        {FUNC("s_sub_sat"),   0x80000000, 1,          0x80000000},
        {FUNC("u_sub_sat"),   1,          2,          0         },
        {FUNC_8("s_sub_sat"), 0x80,       1,          0x80      },
        {FUNC_8("s_hadd"),    0xff,       0x02,       0         },
        {FUNC_8("s_rhadd"),   0xff,       0x02,       1         },
        {FUNC("u_hadd"),      0xffffffff, 0xffffffff, 0xffffffff},
        {FUNC("s_mul_hi"),    0xffffffff, 1,          0xffffffff},
        {FUNC("u_mul_hi"),    0xffffffff, 0xffffffff, 0xfffffffe},
        {FUNC_3("s_mad_hi"),  0xffffffff, 1,          3         },
        {FUNC_3("s_mad_sat"), 0x40000000, 2,          0x7fffffff},
        {FUNC_3("s_mad_sat"), 0xffffffff, 5,          0xffffffff},
        {FUNC_3("u_mad_sat"), 0xffffffff, 1,          0xffffffff},
        {FUNC_1("clz"),       1,          0,          31        },
        {FUNC_1("ctz"),       0,          0,          32        },
        {FUNC("rotate"),      0x80000001, 33,         3         },
        {FUNC("s_mul24"),     0xff800000, 3,          0xfe800000},
    };
    expect_rows(rows, ARRAY_N(rows));
}

#define PACKED(op)     "%n = Op" op " %u32 %vin %win PackedVectorFormat4x8Bit\n"
#define PACKED_SUM(op) "%n = Op" op " %u32 %vin %win %vin PackedVectorFormat4x8Bit\n"

/* Bytes of the first operand from the lowest: 1, 127, -1 or 255, -128 or 128; of the second 4, 3, 2, -128 or 128. */
static void dot_products_of_bytes(void **state)
{
    (void)state;
    COVERS(DOT_EXACT);
    static const struct binary_row rows[] = {
        {PACKED("SDot"),            0x80ff7f01, 0x80020304, 16767     },
        {PACKED("UDot"),            0x80ff7f01, 0x80020304, 17279     },
        {PACKED("SUDot"),           0x80ff7f01, 0x80020304, 0xffffc17f},
        {PACKED_SUM("SDotAccSat"),  0x80ff7f01, 0x80020304, 0x80ffc080},
        {PACKED_SUM("SDotAccSat"),  0x7fffffff, 0x7f000000, 0x7fffffff},
        {PACKED_SUM("SDotAccSat"),  0x80000000, 0x7f000000, 0x80000000},
        {PACKED_SUM("UDotAccSat"),  0xffffffff, 1,          0xffffffff},
        {PACKED_SUM("UDotAccSat"),  0xfffffeff, 1,          0xfffffffe},
        {PACKED_SUM("SUDotAccSat"), 0x80000000, 0x80000000, 0x80000000},
        {PACKED_SUM("SUDotAccSat"), 0x7fffffff, 0x80000000, 0x7fffffff},
    };
    expect_rows(rows, ARRAY_N(rows));
}

#define TWO_SHORTS     "%x = OpBitcast %s2 %vin\n%y = OpBitcast %s2 %win\n"
#define SHORTS(op)     TWO_SHORTS "%n = Op" op " %u32 %x %y\n"
#define SHORTS_SUM(op) TWO_SHORTS "%n = Op" op " %u32 %x %y %vin\n"
#define WORDS(op)      "%x = OpCompositeConstruct %w2 %vin %win\n%n = Op" op " %u32 %x %x\n"

/* The low bits of the sum of products, whatever overflows. */
static void dot_products_of_wider_vectors(void **state)
{
    (void)state;
    COVERS(DOT_EXACT);
    static const struct binary_row rows[] = {
        {SHORTS("SDot"),           0x8000ffff, 0x00028000, 0xffff8000},
        {SHORTS("UDot"),           0x8000ffff, 0x00028000, 0x80008000},
        {SHORTS("SUDot"),          0x8000ffff, 0x00028000, 0xfffe8000},
        {SHORTS("SDot"),           0x80008000, 0x80008000, 0x80000000},
        {SHORTS("UDot"),           0xffffffff, 0xffffffff, 0xfffc0002},
        {WORDS("SDot"),            0x00010001, 3,          0x0002000a},
        {WORDS("UDot"),            0xffffffff, 0x80000001, 2         },
        {WORDS("SUDot"),           0xfffffffe, 5,          29        },
        {SHORTS_SUM("SDotAccSat"), 0x00010001, 0x00020003, 0x00010006},
        {SHORTS_SUM("SDotAccSat"), 0x7fff0001, 0x00020003, 0x7fffffff},
        {SHORTS_SUM("UDotAccSat"), 0xffff0001, 0x00020001, 0xffffffff},
    };
    expect_rows(rows, ARRAY_N(rows));
}

/* Before the accumulator comes in nothing saturates: a sum of products that the result cannot hold is undefined. */
static void saturating_sums_of_products_may_be_undefined(void **state)
{
    (void)state;
    COVERS(DOT_EXACT);
    static const struct binary_row rows[] = {
        {SHORTS_SUM("SDotAccSat"), 0x80008000, 0x80008000, 0},
        {SHORTS_SUM("UDotAccSat"), 0xffffffff, 0xffffffff, 0},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_module(rows[i].body);
        for (uint32_t got = 0; got < 3; got++) {
            assert_int_equal(judge_of(r, rows[i].a, rows[i].b, got), VERDICT_OK);
        }
        free_rig(r);
    }
}

/* A value given for SpecId 3, or none; what `body` makes of it in %n is `want` and nothing else. */
static void expect_specialized(const char *body, bool has_value, uint32_t value, uint32_t want)
{
    struct rig *r = make_rig(ENV_CL, 1);
    const char *const head = strstr(cl_frame, "OpDecorate"), *const at = strstr(cl_frame, "%c0 = ");
    assert_true(head && at);
    assemble(r,
             arena_printf(&r->a,
                          "%.*sOpDecorate %%sc SpecId 3\n%.*s%%sc = OpSpecConstant %%u32 5\n"
                          "%%c7 = OpConstant %%u32 7\n%s%s"
                          "OpStore %%pout %%n\nOpReturn\nOpFunctionEnd\n",
                          (int)(head - cl_frame), cl_frame, (int)(at - head), head, body, at),
             SPV_ENV_UNIVERSAL_1_2);
    if (has_value) {
        r->tc.n_specs = 1;
        r->tc.specs[0] = (struct spec){.id = 3, .n_bytes = 4, .bits = value};
    }
    assert_int_equal(judge_of(r, 0, 0, want), VERDICT_OK);
    for (int bit = 0; bit < 32; bit++) {
        assert_int_equal(judge_of(r, 0, 0, want ^ (uint32_t)1 << bit), VERDICT_ULP);
        assert_int_equal(r->j.findings[0].clause, CLAUSE_SPEC_CONSTANT);
    }
    free_rig(r);
}

static void specialization_constants(void **state)
{
    (void)state;
    COVERS(SPEC_CONSTANT);
    static const char difference[] = "%n = OpSpecConstantOp %u32 ISub %sc %c7\n";
    static const char quotient[] = "%n = OpSpecConstantOp %u32 SDiv %sc %c7\n";
    static const char nested[] = "%m = OpSpecConstantOp %u32 IMul %sc %c7\n"
                                 "%n = OpSpecConstantOp %u32 Not %m\n";
    expect_specialized(difference, false, 0, 0xfffffffe);
    expect_specialized(difference, true, 9, 2);
    expect_specialized(quotient, true, 0xfffffff1, 0xfffffffe);
    expect_specialized(nested, false, 0, ~(uint32_t)35);
    expect_specialized(nested, true, 0x80000001, 0x7ffffff8);
}

/* Each on a first operand that is below, equal, and above, as a number without sign and with one. */
static void comparisons(void **state)
{
    (void)state;
    COVERS(SELECT);
#define COMPARE(op)                                                                                \
    "%y = Op" op " %bool %vin %win\n" FROM_BOOL, BOOL_OF("u8", op), BOOL_OF("u16", op),            \
        BOOL_OF("u64", op)
    static const struct {
        const char *of_32, *of_8, *of_16, *of_64;
        uint32_t below, same, above;
        bool is_signed;
    } rows[] = {
        {COMPARE("IEqual"),            0, 1, 0, false},
        {COMPARE("INotEqual"),         1, 0, 1, false},
        {COMPARE("ULessThan"),         1, 0, 0, false},
        {COMPARE("ULessThanEqual"),    1, 1, 0, false},
        {COMPARE("UGreaterThan"),      0, 0, 1, false},
        {COMPARE("UGreaterThanEqual"), 0, 1, 1, false},
        {COMPARE("SLessThan"),         1, 0, 0, true },
        {COMPARE("SLessThanEqual"),    1, 1, 0, true },
        {COMPARE("SGreaterThan"),      0, 0, 1, true },
        {COMPARE("SGreaterThanEqual"), 0, 1, 1, true },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        uint32_t const low = rows[i].is_signed ? 0xffffffff : 1;
        uint32_t const high = rows[i].is_signed ? 1 : 0xffffffff;
        const char *const body[] = {rows[i].of_32, rows[i].of_8, rows[i].of_16, rows[i].of_64};
        for (size_t k = 0; k < ARRAY_N(body); k++) {
            expect(body[k], low, high, rows[i].below);
            expect(body[k], low, low, rows[i].same);
            expect(body[k], high, high, rows[i].same);
            expect(body[k], high, low, rows[i].above);
        }
    }
}

static void logic(void **state)
{
    (void)state;
#define BOOLS "%p = OpINotEqual %bool %vin %c0\n%q = OpINotEqual %bool %win %c0\n"
    static const struct {
        const char *body;
        uint32_t want[4]; /* of false and false, false and true, true and false, both true */
    } rows[] = {
        {BOOLS "%y = OpLogicalAnd %bool %p %q\n" FROM_BOOL,      {0, 0, 0, 1}},
        {BOOLS "%y = OpLogicalOr %bool %p %q\n" FROM_BOOL,       {0, 1, 1, 1}},
        {BOOLS "%y = OpLogicalEqual %bool %p %q\n" FROM_BOOL,    {1, 0, 0, 1}},
        {BOOLS "%y = OpLogicalNotEqual %bool %p %q\n" FROM_BOOL, {0, 1, 1, 0}},
        {BOOLS "%y = OpLogicalNot %bool %p\n" FROM_BOOL,         {1, 1, 0, 0}},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        for (uint32_t k = 0; k < 4; k++) {
            expect(rows[i].body, k >> 1, k & 1, rows[i].want[k]);
        }
    }
}

static void parts_of_vectors(void **state)
{
    (void)state;
#define PAIR     "%p = OpCompositeConstruct %w2 %vin %win\n"
#define INSERTED PAIR "%t = OpCompositeInsert %w2 %c1 %p 1\n"
#define SHUFFLED                                                                                   \
    "%q = OpCompositeConstruct %w2 %c0 %c1\n" PAIR "%t = OpVectorShuffle %w3 %p %q 3 1 2\n"
#define WIDENED PAIR "%t = OpCompositeConstruct %w3 %c1 %p\n"
#define CAST                                                                                       \
    PAIR "%l = OpBitcast %u64 %p\n%k = OpUConvert %u64 %c4\n"                                      \
         "%m = OpShiftRightLogical %u64 %l %k\n%n = OpUConvert %u32 %m\n"
#define SELECTED                                                                                   \
    PAIR "%z = OpCompositeConstruct %w2 %c0 %c0\n%o = OpCompositeConstruct %w2 %c1 %c1\n"          \
         "%y = OpIEqual %b2 %p %z\n%t = OpSelect %w2 %y %o %p\n"
    static const struct binary_row rows[] = {
        {PAIR "%n = OpCompositeExtract %u32 %p 0\n",     5,    6, 5         },
        {PAIR "%n = OpCompositeExtract %u32 %p 1\n",     5,    6, 6         },
        {WIDENED "%n = OpCompositeExtract %u32 %t 0\n",  5,    6, 1         },
        {WIDENED "%n = OpCompositeExtract %u32 %t 2\n",  5,    6, 6         },
        {INSERTED "%n = OpCompositeExtract %u32 %t 0\n", 5,    6, 5         },
        {INSERTED "%n = OpCompositeExtract %u32 %t 1\n", 5,    6, 1         },
        {SHUFFLED "%n = OpCompositeExtract %u32 %t 0\n", 5,    6, 1         },
        {SHUFFLED "%n = OpCompositeExtract %u32 %t 1\n", 5,    6, 6         },
        {SHUFFLED "%n = OpCompositeExtract %u32 %t 2\n", 5,    6, 0         },
        {CAST,                                           0x50, 6, 0x60000005},
        {SELECTED "%n = OpCompositeExtract %u32 %t 0\n", 5,    0, 5         },
        {SELECTED "%n = OpCompositeExtract %u32 %t 1\n", 5,    0, 1         },
        {SELECTED "%n = OpCompositeExtract %u32 %t 0\n", 0,    6, 1         },
        {SELECTED "%n = OpCompositeExtract %u32 %t 1\n", 0,    6, 6         },
    };
    expect_rows(rows, ARRAY_N(rows));
}

/* What has no result may be anything: the same rows just inside of the edge stand above. */
static void no_result_beyond_the_edge(void **state)
{
    (void)state;
    static const struct binary_row rows[] = {
        {OF_32("ShiftLeftLogical"),     7, 32, 0},
        {OF_32("ShiftRightLogical"),    7, 32, 0},
        {OF_32("ShiftRightArithmetic"), 7, 32, 0},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_module(rows[i].body);
        for (uint32_t got = 0; got < 16; got++) {
            assert_int_equal(judge_of(r, rows[i].a, rows[i].b, got), VERDICT_OK);
        }
        free_rig(r);
    }
}

/* A number of which one half has no result is not put together. */
static void a_half_without_result(void **state)
{
    (void)state;
    static const char body[] =
        "%a = OpShiftRightLogical %u32 %vin %win\n%p = OpCompositeConstruct %w2 %a %vin\n"
        "%l = OpBitcast %u64 %p\n%n = OpUConvert %u32 %l\n";
    struct rig *r = make_module(body);
    assert_int_equal(judge_of(r, 7, 1, 3), VERDICT_OK);
    assert_int_equal(judge_of(r, 7, 1, 4), VERDICT_ULP);
    assert_int_equal(judge_of(r, 7, 32, 3), VERDICT_INCONCLUSIVE);
    assert_string_equal(r->j.note, "a bitcast of a value that is not determined");
    free_rig(r);
}

#define SATURATED "OpDecorate %y SaturatedConversion\n"
#define LOW_BYTE  "%n = OpUConvert %u32 %y\n"

/* S, Decoration SaturatedConversion: the nearest value of the type, 0 of a NaN; OpSatConvertSToU, OpSatConvertUToS: the nearest.
 * Without the decoration an integer loses its high bits, and of a float out of range any value may come. */
static void saturated_conversions(void **state)
{
    (void)state;
    COVERS(FTOI);
    COVERS(INT_EXACT);
    static const char to_u8[] = SATURATED "%y = OpConvertFToU %u8 %v\n" LOW_BYTE;
    static const char to_s8[] = SATURATED "%y = OpConvertFToS %u8 %v\n" LOW_BYTE;
    static const char up_to_s8[] =
        SATURATED "OpDecorate %y FPRoundingMode RTP\n%y = OpConvertFToS %u8 %v\n" LOW_BYTE;
    static const struct binary_row rows[] = {
        {SATURATED "%y = OpSConvert %u8 %vin\n" LOW_BYTE, 300,         0, 127 },
        {SATURATED "%y = OpSConvert %u8 %vin\n" LOW_BYTE, 0U - 300,    0, 0x80},
        {SATURATED "%y = OpSConvert %u8 %vin\n" LOW_BYTE, 127,         0, 127 },
        {SATURATED "%y = OpSConvert %u8 %vin\n" LOW_BYTE, 0U - 128,    0, 0x80},
        {SATURATED "%y = OpUConvert %u8 %vin\n" LOW_BYTE, 300,         0, 255 },
        {SATURATED "%y = OpUConvert %u8 %vin\n" LOW_BYTE, 0U - 1,      0, 255 },
        {SATURATED "%y = OpUConvert %u8 %vin\n" LOW_BYTE, 255,         0, 255 },
        {"%y = OpSConvert %u8 %vin\n" LOW_BYTE,           300,         0, 44  },
        {"%y = OpUConvert %u8 %vin\n" LOW_BYTE,           300,         0, 44  },
        {"%y = OpSatConvertSToU %u8 %vin\n" LOW_BYTE,     0U - 5,      0, 0   },
        {"%y = OpSatConvertSToU %u8 %vin\n" LOW_BYTE,     300,         0, 255 },
        {"%y = OpSatConvertSToU %u8 %vin\n" LOW_BYTE,     200,         0, 200 },
        {"%y = OpSatConvertUToS %u8 %vin\n" LOW_BYTE,     200,         0, 127 },
        {"%y = OpSatConvertUToS %u8 %vin\n" LOW_BYTE,     0U - 5,      0, 127 },
        {"%y = OpSatConvertUToS %u8 %vin\n" LOW_BYTE,     100,         0, 100 },
        {to_s8,                                           0x43960000,  0, 127 }, /* 300 */
        {to_s8,                                           0xc3960000,  0, 0x80},
        {to_s8,                                           0x42ffcccd,  0, 127 }, /* 127.9 */
        {to_s8,                                           0xc2c80000,  0, 0x9c}, /* -100 */
        {to_s8,                                           QNAN,        0, 0   },
        {to_s8,                                           PLUS_INF,    0, 127 },
        {to_s8,                                           MINUS_ZERO,  0, 0   },
        {up_to_s8,                                        0x42fe3333,  0, 127 }, /* 127.1 */
        {up_to_s8,                                        0x42c80001,  0, 101 }, /* 100.00001 */
        {to_u8,                                           0x437f8000,  0, 255 }, /* 255.5 */
        {to_u8,                                           0x43800000,  0, 255 },
        {to_u8,                                           0xbf800000U, 0, 0   },
        {to_u8,                                           0x43480000,  0, 200 },
        {to_u8,                                           0xffc00000,  0, 0   }, /* NaN */
    };
    expect_rows(rows, ARRAY_N(rows));
    struct rig *const r = make_module("%y = OpConvertFToS %u8 %v\n" LOW_BYTE);
    assert_int_equal(judge_of(r, 0x43960000, 0, 44), VERDICT_OK);
    assert_int_equal(judge_of(r, 0x43960000, 0, 127), VERDICT_OK);
    free_rig(r);
}

#define AS_FLOAT "%r = OpBitcast %f32 %n\n"

/* -1 SRem 2 is -1, -1 SMod 2 is 1, 7 SRem 2 is 1. V env, Precision and Operation: of a negative operand the result of
 * either is undefined, but with maintenance8, which the case must need and the device be made with. */
static void vulkan_remainders_of_negative_numbers(void **state)
{
    (void)state;
    COVERS(INT_EXACT);
    static const char with[] = "version=Vulkan 1.4.328\nvk.f.maintenance8=1\n",
                      without[] = "version=Vulkan 1.4.328\n";
    static const struct {
        const char *body;
        uint32_t a, b, want, other;
        bool is_negative;
    } rows[] = {
        {"%n = OpSRem %u32 %i0 %i1\n" AS_FLOAT, UINT32_MAX, 2,              UINT32_MAX, 1, true },
        {"%n = OpSMod %u32 %i0 %i1\n" AS_FLOAT, UINT32_MAX, 2,              1,          0, true },
        {"%n = OpSRem %u32 %i0 %i1\n" AS_FLOAT, 7,          UINT32_MAX - 1, 1,          3, true },
        {"%n = OpSRem %u32 %i0 %i1\n" AS_FLOAT, 7,          2,              1,          3, false},
        {"%n = OpSMod %u32 %i0 %i1\n" AS_FLOAT, 7,          2,              1,          3, false},
        {"%n = OpUMod %u32 %i0 %i1\n" AS_FLOAT, UINT32_MAX, 2,              1,          0, false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {
            .env = ENV_VK, .modes = "", .decorations = "", .body = rows[i].body};
        struct rig *const r = make_program(&p);
        r->in[0] = rows[i].a;
        r->in[1] = rows[i].b;
        for (int way = 0; way < 4; way++) {
            bool const is_needed = way & 1, is_exact = way == 3 || !rows[i].is_negative;
            r->ob.facts = way & 2 ? with : without;
            r->tc.needs = (struct needs){0};
            if (is_needed) {
                needs_add(&r->tc.needs, NEED_VK_NEGATIVE_REMAINDER);
            }
            expect_verdict_of(r, rows[i].body, rows[i].want, VERDICT_OK, CLAUSE_NONE);
            expect_verdict_of(r, rows[i].body, rows[i].other, is_exact ? VERDICT_ULP : VERDICT_OK,
                              is_exact ? CLAUSE_INT_EXACT : CLAUSE_NONE);
        }
        free_rig(r);
    }
}

/* The same of specialization constants: -7 SRem 2. */
static void vulkan_remainders_of_constants(void **state)
{
    (void)state;
    static const char *const dividends[] = {"4294967289", "7"};
    const char *const at = strstr(types_of(ENV_VK), "%cells = ");
    assert_non_null(at);
    for (int way = 0; way < 4; way++) {
        bool const is_positive = way & 1, is_needed = way & 2;
        struct rig *const r = make_rig(ENV_VK, 1);
        assemble(r,
                 arena_printf(&r->a,
                              "%s%.*s%%k = OpSpecConstant %%u32 %s\n"
                              "%%n = OpSpecConstantOp %%u32 SRem %%k %%c2\n%sOpStore %%pout %%n\n"
                              "OpReturn\nOpFunctionEnd\n",
                              head_of(ENV_VK), (int)(at - types_of(ENV_VK)), types_of(ENV_VK),
                              dividends[is_positive], at),
                 SPV_ENV_UNIVERSAL_1_3);
        if (is_needed) {
            needs_add(&r->tc.needs, NEED_VK_NEGATIVE_REMAINDER);
        }
        if (is_positive || is_needed) {
            expect_verdict_of(r, "a constant", is_positive ? 1 : UINT32_MAX, VERDICT_OK,
                              CLAUSE_NONE);
            expect_verdict_of(r, "a constant", 3, VERDICT_ULP, CLAUSE_SPEC_CONSTANT);
        } else {
            assert_int_equal(judge_rig(r), VERDICT_INCONCLUSIVE);
        }
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_and_bits),
        cmocka_unit_test(quotients_pairs_and_places),
        cmocka_unit_test(functions),
        cmocka_unit_test(specialization_constants),
        cmocka_unit_test(dot_products_of_bytes),
        cmocka_unit_test(dot_products_of_wider_vectors),
        cmocka_unit_test(saturating_sums_of_products_may_be_undefined),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(logic),
        cmocka_unit_test(parts_of_vectors),
        cmocka_unit_test(no_result_beyond_the_edge),
        cmocka_unit_test(a_half_without_result),
        cmocka_unit_test(saturated_conversions),
        cmocka_unit_test(vulkan_remainders_of_negative_numbers),
        cmocka_unit_test(vulkan_remainders_of_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
