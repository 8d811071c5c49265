/* tests/oracle/test_judge_edges.c -- verdicts at the edge of a clause, in whole modules: what is allowed is not
 * alarmed, and what is forbidden is. Values worked by hand. */
#include "tests/rig/judge_rig.h"

/* A kernel over %cells, a location; %x and %y are floats of in, and %r, 32 bits of an integer, is stored. */
static const char edge_head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8\n"
    "OpCapability Int16\nOpCapability Float16\nOpCapability Float64\n"
    "OpCapability AtomicFloat32AddEXT\nOpCapability AtomicFloat32MinMaxEXT\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n"
    "%cl = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"k\" %gid\nOpExecutionMode %main ContractionOff\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u8 = OpTypeInt 8 0\n%u16 = OpTypeInt 16 0\n%u32 = "
    "OpTypeInt 32 0\n"
    "%u64 = OpTypeInt 64 0\n%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64\n"
    "%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
    "%pu = OpTypePointer CrossWorkgroup %u32\n%pi = OpTypePointer Function %u32\n"
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%one = OpConstant %f32 1\n"
    "%dbl = OpConstant %f64 1\n%hlf = OpConstant %f16 1\n"
    "%in31 = OpConstant %f64 2147483646.5\n%past31 = OpConstant %f64 2147483647.5\n"
    "%six = OpConstant %f32 6\n";
static const char edge_main[] =
    "%fn = OpTypeFunction %void %pc %pu %pu\n"
    "%gid = OpVariable %pv3 Input\n%main = OpFunction %void None %fn\n"
    "%cells = OpFunctionParameter %pc\n%in = OpFunctionParameter %pu\n"
    "%out = OpFunctionParameter %pu\n%entry = OpLabel\n%p = OpVariable %pi Function\n"
    "%id3 = OpLoad %v3 %gid\n%id = OpCompositeExtract %u64 %id3 0\n"
    "%p1 = OpInBoundsPtrAccessChain %pu %in %c1\n%ix = OpLoad %u32 %in\n%iy = OpLoad %u32 %p1\n"
    "%x = OpBitcast %f32 %ix\n%y = OpBitcast %f32 %iy\n"
    "%pout = OpInBoundsPtrAccessChain %pu %out %id\n";
static const char edge_tail[] = "OpStore %pout %r\nOpReturn\nOpFunctionEnd\n";

/* The location is of this type. */
static struct rig *make_edge(const char *type, const char *body, uint32_t n)
{
    struct rig *r = make_rig(ENV_CL, n);
    r->ob.facts = "cl.fp16_config=0x3f\ncl.fp32_config=0x3f\ncl.fp64_config=0x3f\n";
    assemble(r,
             arena_printf(&r->a, "%s%%pc = OpTypePointer CrossWorkgroup %s\n%s%s%s", edge_head,
                          type, edge_main, body, edge_tail),
             SPV_ENV_UNIVERSAL_1_2);
    return r;
}

/* In OpenCL and over 32-bit floats unless it says otherwise. */
struct edge {
    const char *body;
    uint32_t x, y, got;
    enum verdict_kind want;
    enum clause_id clause; /* of a finding */
};

static void check(struct rig *r, const struct edge *e)
{
    r->in[0] = e->x;
    r->in[1] = e->y;
    r->out_after[0] = e->got;
    enum verdict_kind const got = judge_rig(r);
    if (got != e->want || (got != VERDICT_OK && r->j.findings[0].clause != e->clause)) {
        fail_msg("%s of %08x, %08x is %08x: %s %s, want %s %s: %s", e->body, e->x, e->y, e->got,
                 verdict_rows[got].name,
                 r->j.n_findings ? clause_rows[r->j.findings[0].clause].id : "-",
                 verdict_rows[e->want].name, clause_rows[e->clause].id,
                 r->j.n_findings ? r->j.findings[0].text : r->j.note);
    }
    assert_true(r->j.n_judged > 0 || got == VERDICT_OK);
}

static void check_edges(const struct edge *rows, size_t n, const char *options)
{
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        struct rig *r = make_edge("%f32", rows[i].body, 1);
        r->tc.build_options = options;
        check(r, &rows[i]);
        free_rig(r);
    }
}

/* CE numerics, out-of-range conversions: "when a conversion operand is either greater than the greatest
 * representable destination value or less than the least": before it is rounded. */
static void operands_out_of_an_integer_s_range(void **state)
{
    (void)state;
    COVERS(FTOI);
    static const char u8[] = "%b = OpConvertFToU %u8 %x\n%r = OpUConvert %u32 %b\n";
    static const char s8[] = "%b = OpConvertFToS %u8 %x\n%r = OpUConvert %u32 %b\n";
    static const char u32[] = "%r = OpConvertFToU %u32 %x\n";
    static const char near[] = "%r = OpConvertFToS %u32 %in31\n";
    static const char past[] = "%r = OpConvertFToS %u32 %past31\n";
    static const struct edge rows[] = {
        {u8,   0x437f8000, 0, 255,        VERDICT_OK,  CLAUSE_NONE}, /* 255.5 */
        {u8,   0x437f8000, 0, 0,          VERDICT_OK,  CLAUSE_NONE},
        {u8,   0x437f0000, 0, 255,        VERDICT_OK,  CLAUSE_NONE}, /* 255 */
        {u8,   0x437f0000, 0, 254,        VERDICT_ULP, CLAUSE_FTOI},
        {u8,   0x437e8000, 0, 254,        VERDICT_OK,  CLAUSE_NONE}, /* 254.5 */
        {u8,   0x437e8000, 0, 255,        VERDICT_ULP, CLAUSE_FTOI},
        {s8,   0xc3008000, 0, 127,        VERDICT_OK,  CLAUSE_NONE}, /* -128.5 */
        {s8,   0xc3000000, 0, 0x80,       VERDICT_OK,  CLAUSE_NONE}, /* -128 */
        {s8,   0xc3000000, 0, 127,        VERDICT_ULP, CLAUSE_FTOI},
        {s8,   0xbf000000, 0, 0,          VERDICT_OK,  CLAUSE_NONE}, /* -0.5 */
        {s8,   0xbf000000, 0, 1,          VERDICT_ULP, CLAUSE_FTOI},
        {u32,  0xbf000000, 0, 7,          VERDICT_OK,  CLAUSE_NONE},
        {u32,  0xbf000000, 0, 0,          VERDICT_OK,  CLAUSE_NONE},
        {u32,  MINUS_ZERO, 0, 0,          VERDICT_OK,  CLAUSE_NONE},
        {u32,  MINUS_ZERO, 0, 7,          VERDICT_ULP, CLAUSE_FTOI},
        {u32,  0x3f7fffff, 0, 0,          VERDICT_OK,  CLAUSE_NONE},
        {u32,  0x3f7fffff, 0, 1,          VERDICT_ULP, CLAUSE_FTOI},
        {past, 0,          0, 0x80000000, VERDICT_OK,  CLAUSE_NONE},
        {past, 0,          0, 0x7fffffff, VERDICT_OK,  CLAUSE_NONE},
        {near, 0,          0, 0x7ffffffe, VERDICT_OK,  CLAUSE_NONE},
        {near, 0,          0, 0x7fffffff, VERDICT_ULP, CLAUSE_FTOI},
    };
    check_edges(rows, ARRAY_N(rows), "");
}

/* S 3.3.11: undefined "if Result Type is not wide enough to hold the converted value": after rounding. */
static void vulkan_counts_what_was_converted(void **state)
{
    (void)state;
    COVERS(FTOI);
    static const struct edge rows[] = {
        {"-0.5", 0xbf000000, 0, 0, VERDICT_OK,  CLAUSE_NONE},
        {"-0.5", 0xbf000000, 0, 7, VERDICT_ULP, CLAUSE_FTOI},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(ENV_VK, 1);
        const char *frame = arena_printf(&r->a, vk_frame, "OpCapability SignedZeroInfNanPreserve\n",
                                         "OpExecutionMode %main SignedZeroInfNanPreserve 32\n");
        assemble(r,
                 arena_printf(&r->a,
                              "%s%%i = OpConvertFToU %%u32 %%v\n%%r = OpCopyObject %%u32 "
                              "%%i\n%s",
                              frame, cl_tail),
                 SPV_ENV_VULKAN_1_1);
        check(r, &rows[i]);
        free_rig(r);
    }
}

/* S 2.2.3: a remainder is exact, and of its zero no text gives the sign. Another result that
 * x - y trunc(x / y) may have, whose quotient is within 2.5 ulp, no clause forbids. */
static void remainders_by_any_reading(void **state)
{
    (void)state;
    COVERS(MATH_NO_ROW);
    static const char rem[] = "%m = OpFRem %f32 %x %y\n%r = OpBitcast %u32 %m\n";
    static const char mod[] = "%m = OpFMod %f32 %x %y\n%r = OpBitcast %u32 %m\n";
    static const struct edge rows[] = {
        {rem, 0x40c00000, TWO,      0,          VERDICT_OK,         CLAUSE_NONE       },
        {rem, 0x40c00000, TWO,      MINUS_ZERO, VERDICT_OK,         CLAUSE_NONE       },
        {rem, 0x40c00000, TWO,      TWO,        VERDICT_DIVERGENCE, CLAUSE_MATH_NO_ROW}, /* 6 - 2 * 2 */
        {rem, 0x40c00000, TWO,      ONE,        VERDICT_ULP,        CLAUSE_MATH_NO_ROW},
        {rem, 0x40c00000, TWO,      QNAN,       VERDICT_NAN_RULE,   CLAUSE_MATH_NO_ROW},
        {rem, 0xc0b00000, TWO,      0xbfc00000, VERDICT_OK,         CLAUSE_NONE       }, /* -5.5: -1.5 */
        {rem, 0xc0b00000, TWO,      0x3f000000, VERDICT_ULP,        CLAUSE_MATH_NO_ROW},
        {rem, ONE,        PLUS_INF, ONE,        VERDICT_OK,         CLAUSE_NONE       },
        {rem, ONE,        0,        TWO,        VERDICT_OK,         CLAUSE_NONE       }, /* undefined */
        {mod, 0xc0c00000, TWO,      0,          VERDICT_OK,         CLAUSE_NONE       },
        {mod, 0xc0c00000, TWO,      MINUS_ZERO, VERDICT_OK,         CLAUSE_NONE       },
        {mod, 0xc0b00000, TWO,      0x3f000000, VERDICT_OK,         CLAUSE_NONE       },
        {mod, 0xc0b00000, TWO,      0xbfc00000, VERDICT_ULP,        CLAUSE_MATH_NO_ROW},
    };
    check_edges(rows, ARRAY_N(rows), "");
    static const struct edge rounded[] = {
        {rem, 0x40c00000, TWO, MINUS_ZERO, VERDICT_OK,  CLAUSE_NONE       },
        {rem, 0x40c00000, TWO, TWO,        VERDICT_ULP, CLAUSE_MATH_NO_ROW},
    };
    check_edges(rounded, ARRAY_N(rounded), "-cl-fp32-correctly-rounded-divide-sqrt");
    /* OpenCL.std's fmod has a row, and C's signs */
    static const char fmod[] = "%m = OpExtInst %f32 %cl fmod %x %y\n%r = OpBitcast %u32 %m\n";
    static const struct edge of_c[] = {
        {fmod, 0xc0c00000, TWO, MINUS_ZERO, VERDICT_OK,        CLAUSE_NONE      },
        {fmod, 0xc0c00000, TWO, 0,          VERDICT_ZERO_SIGN, CLAUSE_MATH_EXACT},
        {fmod, 0x40c00000, TWO, TWO,        VERDICT_ULP,       CLAUSE_MATH_EXACT},
    };
    check_edges(of_c, ARRAY_N(of_c), "");
}

static void angles_of_zero(void **state)
{
    (void)state;
    COVERS(MATH_ULP);
    static const char deg[] = "%m = OpExtInst %f32 %cl degrees %x\n%r = OpBitcast %u32 %m\n";
    static const struct edge rows[] = {
        {deg, MINUS_ZERO, 0, MINUS_ZERO, VERDICT_OK,       CLAUSE_NONE    },
        {deg, MINUS_ZERO, 0, 0,          VERDICT_OK,       CLAUSE_NONE    },
        {deg, MINUS_ZERO, 0, 3,          VERDICT_ULP,      CLAUSE_MATH_ULP},
        {deg, MINUS_ZERO, 0, QNAN,       VERDICT_NAN_RULE, CLAUSE_MATH_ULP},
    };
    check_edges(rows, ARRAY_N(rows), "");
}

/* CE numerics: "The result of a floating-point exception must match the IEEE 754 spec for the
 * exceptions-not-enabled case"; CC: "will result in an infinity or NaN". */
static void quotients_by_zero(void **state)
{
    (void)state;
    COVERS(DIV_BY_ZERO);
    static const char div[] = "%q = OpFDiv %f32 %x %y\n%r = OpBitcast %u32 %q\n";
    static const struct edge rows[] = {
        {div, THREE, 0,          PLUS_INF,   VERDICT_OK,       CLAUSE_NONE       },
        {div, THREE, 0,          0xff800000, VERDICT_ULP,      CLAUSE_DIV_BY_ZERO},
        {div, THREE, 0,          MAX,        VERDICT_ULP,      CLAUSE_DIV_BY_ZERO},
        {div, THREE, 0,          QNAN,       VERDICT_NAN_RULE, CLAUSE_DIV_BY_ZERO},
        {div, THREE, MINUS_ZERO, 0xff800000, VERDICT_OK,       CLAUSE_NONE       },
        {div, THREE, MINUS_ZERO, PLUS_INF,   VERDICT_ULP,      CLAUSE_DIV_BY_ZERO},
        {div, 0,     0,          QNAN | 5,   VERDICT_OK,       CLAUSE_NONE       },
        {div, 0,     0,          0,          VERDICT_NAN_RULE, CLAUSE_DIV_BY_ZERO},
        {div, 0,     0,          PLUS_INF,   VERDICT_NAN_RULE, CLAUSE_DIV_BY_ZERO},
        {div, THREE, ONE,        PLUS_INF,   VERDICT_ULP,      CLAUSE_DIV_ULP    },
    };
    check_edges(rows, ARRAY_N(rows), "");
    static const struct edge finite[] = {
        {div, THREE, 0, MAX,   VERDICT_OK, CLAUSE_NONE},
        {div, 0,     0, THREE, VERDICT_OK, CLAUSE_NONE},
    };
    check_edges(finite, ARRAY_N(finite), "-cl-finite-math-only");
    static const struct edge unsafe[] = {
        {div, THREE, 0,   PLUS_INF, VERDICT_OK,         CLAUSE_NONE       },
        {div, THREE, 0,   MAX,      VERDICT_DIVERGENCE, CLAUSE_OPTION_EDGE},
        {div, THREE, ONE, MAX,      VERDICT_ULP,        CLAUSE_DIV_ULP    },
    };
    check_edges(unsafe, ARRAY_N(unsafe), "-cl-unsafe-math-optimizations");
    static const struct edge unsigned_zeros[] = {
        {div, THREE, 0, 0xff800000, VERDICT_OK,  CLAUSE_NONE       },
        {div, THREE, 0, MAX,        VERDICT_ULP, CLAUSE_DIV_BY_ZERO},
    };
    check_edges(unsigned_zeros, ARRAY_N(unsigned_zeros), "-cl-no-signed-zeros");
}

/* The documents of Vulkan do not agree among themselves. */
static void quotients_by_zero_in_vulkan(void **state)
{
    (void)state;
    COVERS(DIV_ZERO);
    static const struct edge rows[] = {
        {"3 / 0", THREE, 0, PLUS_INF, VERDICT_OK,         CLAUSE_NONE    },
        {"3 / 0", THREE, 0, THREE,    VERDICT_DIVERGENCE, CLAUSE_DIV_ZERO},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(ENV_VK, 1);
        const char *frame = arena_printf(&r->a, vk_frame, "OpCapability SignedZeroInfNanPreserve\n",
                                         "OpExecutionMode %main SignedZeroInfNanPreserve 32\n"
                                         "OpDecorate %r NoContraction\n"
                                         "OpDecorate %z NoContraction\n");
        assemble(r,
                 arena_printf(&r->a, "%s%%z = OpFSub %%f32 %%v %%v\n%%r = OpFDiv %%f32 %%v %%z\n%s",
                              frame, cl_tail),
                 SPV_ENV_VULKAN_1_1);
        check(r, &rows[i]);
        free_rig(r);
    }
}

/* CE numerics, "Additional Requirements": what is stored beside the result. */
static void second_results(void **state)
{
    (void)state;
    COVERS(MATH_SPECIAL);
    static const char gamma[] = "%m = OpExtInst %f32 %cl lgamma_r %x %p\n%r = OpLoad %u32 %p\n";
    static const char frexp[] = "%m = OpExtInst %f32 %cl frexp %x %p\n%r = OpLoad %u32 %p\n";
    static const char quo[] = "%m = OpExtInst %f32 %cl remquo %x %y %p\n%r = OpLoad %u32 %p\n";
    static const char logb[] = "%r = OpExtInst %u32 %cl ilogb %x\n";
    static const struct edge rows[] = {
        {gamma, 0,          0,     0,          VERDICT_OK,  CLAUSE_NONE        },
        {gamma, 0,          0,     1,          VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {gamma, MINUS_ZERO, 0,     0xffffffff, VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {gamma, 0xc0400000, 0,     0,          VERDICT_OK,  CLAUSE_NONE        }, /* -3 */
        {gamma, 0xc0400000, 0,     0xffffffff, VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {gamma, 0xc0200000, 0,     0xffffffff, VERDICT_OK,  CLAUSE_NONE        }, /* -2.5 */
        {gamma, 0xc0200000, 0,     0,          VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {gamma, QNAN,       0,     77,         VERDICT_OK,  CLAUSE_NONE        },
        {frexp, PLUS_INF,   0,     0,          VERDICT_OK,  CLAUSE_NONE        },
        {frexp, PLUS_INF,   0,     129,        VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {frexp, QNAN,       0,     0,          VERDICT_OK,  CLAUSE_NONE        },
        {frexp, QNAN,       0,     129,        VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {frexp, MAX,        0,     128,        VERDICT_OK,  CLAUSE_NONE        },
        {frexp, MAX,        0,     0,          VERDICT_ULP, CLAUSE_MATH_EXACT  },
        {quo,   PLUS_INF,   TWO,   0,          VERDICT_OK,  CLAUSE_NONE        },
        {quo,   PLUS_INF,   TWO,   1,          VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {quo,   ONE,        0,     1,          VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {quo,   ONE,        QNAN,  1,          VERDICT_ULP, CLAUSE_MATH_SPECIAL},
        {quo,   0x41200000, THREE, 3,          VERDICT_OK,  CLAUSE_NONE        }, /* 10 / 3 */
        {quo,   0x41200000, THREE, 131,        VERDICT_OK,  CLAUSE_NONE        },
        {quo,   0x41200000, THREE, 2,          VERDICT_ULP, CLAUSE_MATH_EXACT  },
        {quo,   0xc1200000, THREE, 0xfffffffd, VERDICT_OK,  CLAUSE_NONE        },
        {quo,   0xc1200000, THREE, 125,        VERDICT_ULP, CLAUSE_MATH_EXACT  }, /* -3 by its low bits */
        {logb,  0,          0,     0x80000000, VERDICT_OK,  CLAUSE_NONE        },
        {logb,  0,          0,     0x80000001, VERDICT_OK,  CLAUSE_NONE        },
        {logb,  0,          0,     0x80000002, VERDICT_ULP, CLAUSE_MATH_EXACT  },
    };
    check_edges(rows, ARRAY_N(rows), "");
    static const struct edge flushed[] = {
        {gamma, MINUS_ZERO | 1, 0, 0,          VERDICT_OK,  CLAUSE_NONE        },
        {gamma, MINUS_ZERO | 1, 0, 0xffffffff, VERDICT_OK,  CLAUSE_NONE        },
        {gamma, MINUS_ZERO | 1, 0, 1,          VERDICT_ULP, CLAUSE_MATH_SPECIAL},
    };
    check_edges(flushed, ARRAY_N(flushed), "-cl-denorms-are-zero");
}

/* An atomic on a location of a type in one invocation. */
/* Short enough for a table. */
#define HOLE     CLAUSE_HOLE_CL_FLOAT
#define DIVERGES VERDICT_DIVERGENCE

struct location_row {
    const char *type, *body;
    uint32_t before[2], x, got, after[2];
    enum verdict_kind want;
    enum clause_id clause;
};

static void check_location(const struct location_row *row, uint32_t n_invocations)
{
    struct edge const e = {row->body, row->x, 0, row->got, row->want, row->clause};
    struct rig *r = make_edge(row->type, row->body, n_invocations);
    memcpy(r->cells, row->before, sizeof row->before);
    memcpy(r->cells_after, row->after, sizeof row->after);
    check(r, &e);
    free_rig(r);
}

static const char load32[] = "%l = OpAtomicLoad %f32 %cells %c1 %c0\n%r = OpBitcast %u32 %l\n";
static const char store32[] = "OpAtomicStore %cells %c1 %c0 %x\n%r = OpCopyObject %u32 %ix\n";
static const char swap32[] =
    "%l = OpAtomicExchange %f32 %cells %c1 %c0 %x\n%r = OpBitcast %u32 %l\n";
static const char load64[] = "%l = OpAtomicLoad %f64 %cells %c1 %c0\n%n = OpFConvert %f32 %l\n"
                             "%r = OpBitcast %u32 %n\n";
static const char store64[] = "OpAtomicStore %cells %c1 %c0 %dbl\n%r = OpCopyObject %u32 %ix\n";

/* CE validation rules: "Only 32-bit integer types are supported", 64-bit ones by an extension, 16-bit floats by
 * EFA: of wider floats nothing is said, so that nothing they give or leave is forbidden. */
static void float_atomics_that_no_clause_permits(void **state)
{
    /* SHOWS(FA_WIDE_LS) */
    (void)state;
    COVERS(HOLE_CL_FLOAT);
    static const struct location_row rows[] = {
        {"%f32", load32,  {ONE},           0,   ONE,        {ONE},           VERDICT_OK, CLAUSE_NONE          },
        {"%f32", load32,  {ONE},           0,   TWO,        {ONE},           DIVERGES,   HOLE                 },
        {"%f32", load32,  {ONE},           0,   ONE,        {TWO},           DIVERGES,   HOLE                 },
        {"%f32", load32,  {MINUS_ZERO},    0,   MINUS_ZERO, {0},             DIVERGES,   HOLE                 },
        {"%f32", load32,  {TINY},          0,   TINY,       {0},             DIVERGES,   CLAUSE_DENORM_DEFAULT},
        {"%f32", store32, {ONE},           TWO, TWO,        {TWO},           VERDICT_OK, CLAUSE_NONE          },
        {"%f32", store32, {ONE},           TWO, TWO,        {ONE},           DIVERGES,   HOLE                 },
        {"%f32", swap32,  {ONE},           TWO, ONE,        {TWO},           VERDICT_OK, CLAUSE_NONE          },
        {"%f32", swap32,  {ONE},           TWO, TWO,        {TWO},           DIVERGES,   HOLE                 },
        {"%f32", swap32,  {ONE},           TWO, ONE,        {THREE},         DIVERGES,   HOLE                 },
        {"%f64", load64,  {0, 0x3ff00000}, 0,   ONE,        {0, 0x3ff00000}, VERDICT_OK, CLAUSE_NONE          },
        {"%f64", load64,  {0, 0x3ff00000}, 0,   ONE,        {1, 0x3ff00000}, DIVERGES,   HOLE                 },
        {"%f64", store64, {0, 0},          0,   0,          {0, 0x3ff00000}, VERDICT_OK, CLAUSE_NONE          },
        {"%f64", store64, {0, 0},          0,   0,          {0, 0},          DIVERGES,   HOLE                 },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        check_location(&rows[i], 1);
    }
}

static const char load_int[] = "%r = OpAtomicLoad %u32 %cells %c1 %c0\n";
static const char store_int[] = "OpAtomicStore %cells %c1 %c0 %ix\n%r = OpCopyObject %u32 %ix\n";
static const char swap_int[] = "%r = OpAtomicExchange %u32 %cells %c1 %c0 %ix\n";
static const char load16[] = "%l = OpAtomicLoad %f16 %cells %c1 %c0\n%h = OpBitcast %u16 %l\n"
                             "%r = OpUConvert %u32 %h\n";
static const char store16[] = "OpAtomicStore %cells %c1 %c0 %hlf\n%r = OpCopyObject %u32 %ix\n";

/* The integer form, and 16-bit floats, which EFA lists. */
static void atomics_that_clauses_permit(void **state)
{
    /* SHOWS(FA_LS_16) */
    (void)state;
    COVERS(LOAD_EXACT);
    COVERS(STORE_EXACT);
    COVERS(EXCH_EXACT);
    static const struct location_row rows[] = {
        {"%u32", load_int,  {MINUS_ZERO}, 0,   MINUS_ZERO, {MINUS_ZERO}, VERDICT_OK,        CLAUSE_NONE       },
        {"%u32", load_int,  {MINUS_ZERO}, 0,   MINUS_ZERO, {0},          VERDICT_ATOMICITY, CLAUSE_LOAD_EXACT },
        {"%u32", load_int,  {ONE},        0,   TWO,        {ONE},        VERDICT_ATOMICITY, CLAUSE_LOAD_EXACT },
        {"%u32", store_int, {ONE},        TWO, TWO,        {ONE},        VERDICT_ATOMICITY, CLAUSE_STORE_EXACT},
        {"%u32", swap_int,  {ONE},        TWO, TWO,        {TWO},        VERDICT_ATOMICITY, CLAUSE_EXCH_EXACT },
        {"%f16", load16,    {0x3c00},     0,   0x3c00,     {0x3c00},     VERDICT_OK,        CLAUSE_NONE       },
        {"%f16", load16,    {0x8000},     0,   0x8000,     {0},          VERDICT_ZERO_SIGN, CLAUSE_LOAD_EXACT },
        {"%f16", store16,   {0},          0,   0,          {0x3c00},     VERDICT_OK,        CLAUSE_NONE       },
        {"%f16", store16,   {0},          0,   0,          {0},          VERDICT_ATOMICITY, CLAUSE_STORE_EXACT},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        check_location(&rows[i], 1);
    }
    static const char *const types[] = {"%u32", "%f16"};
    for (size_t i = 0; i < ARRAY_N(types); i++) { /* and a refusal is graded alike */
        struct rig *r = make_edge(types[i], i ? load16 : load_int, 1);
        r->ob.status = RUN_REJECT;
        assert_int_equal(judge_rig(r), VERDICT_REJECT);
        assert_int_equal(r->j.findings[0].clause, CLAUSE_MUST_ACCEPT);
        free_rig(r);
    }
}

/* Such an instruction excuses the refusal that it causes, or that nobody gives a cause for, and no other. */
static void refusals_that_such_atomics_cause(void **state)
{
    /* SHOWS(FA_WIDE_LS) */
    (void)state;
    COVERS(HOLE_CL_FLOAT);
    COVERS(MUST_ACCEPT);
    static const struct {
        const char *type, *body, *log;
        enum run_phase phase;
        enum verdict_kind want;
        enum clause_id clause;
    } rows[] = {
        {"%f32", load32,   "Symbols not found: [ _Z11atomic_loadPU3AS1VU7_Atomicf ]",          PHASE_BUILD,
         DIVERGES,                                                                                                          HOLE              },
        {"%f32", load32,   "",                                                                 PHASE_BUILD, DIVERGES,       HOLE              },
        {"%f32", load32,   "error: build failed",                                              PHASE_BUILD, DIVERGES,       HOLE              },
        {"%f64", store64,  "Symbols not found: [ _Z12atomic_storePU3AS1VU7_Atomicdd ]",        PHASE_RUN,
         DIVERGES,                                                                                                          HOLE              },
        {"%f32", load32,   "error: the binary calls __spirv_UMulExtended, which is not found",
         PHASE_BUILD,                                                                                       VERDICT_REJECT, CLAUSE_MUST_ACCEPT},
        {"%f32", load32,   "Symbols not found: [ _Z10atomic_addPU3AS1Vff ]",                   PHASE_BUILD,
         VERDICT_REJECT,                                                                                                    CLAUSE_MUST_ACCEPT},
        {"%f32", load32,
         "Symbols not found: [ _Z10atomic_addPU3AS1Vff, _Z11atomic_loadPU3AS1VU7_Atomicf ]",   PHASE_BUILD, VERDICT_REJECT, CLAUSE_MUST_ACCEPT},
        {"%f32", load32,   "Symbols not found: [ _Z11atomic_xchgPU3AS1VDhDh ]",                PHASE_BUILD,
         VERDICT_REJECT,                                                                                                    CLAUSE_MUST_ACCEPT},
        {"%f32", load32,   "clCreateBuffer: CL_OUT_OF_HOST_MEMORY (-6)",                       PHASE_START, VERDICT_REJECT,
         CLAUSE_MUST_ACCEPT                                                                                                                   },
        {"%u32", load_int, "Symbols not found: [ _Z11atomic_loadPU3AS1VU7_Atomicf ]",          PHASE_BUILD,
         VERDICT_REJECT,                                                                                                    CLAUSE_MUST_ACCEPT},
        {"%u32", load_int, "",                                                                 PHASE_BUILD, VERDICT_REJECT, CLAUSE_MUST_ACCEPT},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_edge(rows[i].type, rows[i].body, 1);
        r->ob.status = RUN_REJECT;
        r->ob.phase = rows[i].phase;
        r->ob.log = rows[i].log;
        enum verdict_kind const got = judge_rig(r);
        if (got != rows[i].want || r->j.findings[0].clause != rows[i].clause) {
            fail_msg("\"%s\": %s %s", rows[i].log, verdict_rows[got].name,
                     clause_rows[r->j.findings[0].clause].id);
        }
        free_rig(r);
    }
}

/* Of several missing symbols one that nothing excuses is what the signature names, and the text names all. */
static void a_refusal_is_named_by_what_nothing_excuses(void **state)
{
    (void)state;
    static const struct {
        const char *type, *body, *core;
    } rows[] = {
        {"%f32", load32,   "reject MUST_ACCEPT build 0 symbol missing: relaxed math half"},
        {"%u32", load_int,
         "reject MUST_ACCEPT build 0 symbol missing: atomic_load_store float global"     },
    };
    static const char *const named[] = {"_Z11atomic_loadPU3AS1VU7_Atomicf is missing",
                                        "_Z6log_rmDh is missing"};
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_edge(rows[i].type, rows[i].body, 1);
        r->ob.status = RUN_REJECT;
        r->ob.phase = PHASE_BUILD;
        r->ob.log = "Symbols not found: [ _Z11atomic_loadPU3AS1VU7_Atomicf, _Z6log_rmDh ]";
        assert_int_equal(judge_rig(r), VERDICT_REJECT);
        assert_string_equal(signature_of(&r->j.findings[0], &r->ob, &r->a).core, rows[i].core);
        for (size_t k = 0; k < ARRAY_N(named); k++) {
            assert_non_null(strstr(r->j.findings[0].text, named[k]));
        }
        free_rig(r);
    }
}

/* An operand has its own type, whatever the result's is: nothing of it is cut. */
static void operands_have_their_own_types(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint32_t x, got;
        enum val_type type, got_type, operand_type[2];
        uint64_t operand[2];
        const char *classes;
    } rows[] = {
        {"%n = OpFConvert %f32 %in31\n%r = OpBitcast %u32 %n\n",
         0,                                                                             ONE,
         VT_F32,                                                                                     VT_NONE,
         {VT_F64, VT_NONE},
         {0x41dfffffffa00000, 0},
         "normal"          },
        {"%n = OpFConvert %f64 %x\n%q = OpBitcast %u64 %n\n%k = OpIAdd %u64 %id %id\n"
         "%r = OpUConvert %u32 %q\n",                                    TINY,
         7,                                                                                  VT_I32,
         VT_NONE,                                                                                             {VT_I64, VT_NONE},
         {0x36a0000000000000, 0},
         ""                },
        {"%n = OpConvertFToU %u32 %dbl\n%r = OpCopyObject %u32 %n\n",
         0,                                                                             7,
         VT_I32,                                                                                     VT_NONE,
         {VT_F64, VT_NONE},
         {0x3ff0000000000000, 0},
         ""                },
        {"%b = OpFOrdLessThan %bool %x %one\n%r = OpSelect %u32 %b %c1 %c0\n",
         TINY,                                                                          0,
         VT_F32,                                                                                     VT_BOOL,
         {VT_F32, VT_F32},
         {TINY, ONE},
         "subnormal,normal"},
        {"%b = OpFOrdLessThan %bool %in31 %dbl\n%r = OpSelect %u32 %b %c1 %c0\n",
         0,                                                                             1,
         VT_F64,                                                                                     VT_BOOL,
         {VT_F64, VT_F64},
         {0x41dfffffffa00000, 0x3ff0000000000000},
         "normal,normal"   },
        {"%n = OpFAdd %f32 %x %one\n%r = OpBitcast %u32 %n\n",
         TWO,                                                                           ONE,
         VT_F32,                                                                                     VT_NONE,
         {VT_F32, VT_F32},
         {TWO, ONE},
         "normal,normal"   },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_edge("%f32", rows[i].body, 1);
        r->in[0] = rows[i].x;
        r->out_after[0] = rows[i].got;
        (void)judge_rig(r);
        assert_true(r->j.n_findings > 0);
        const struct finding *const f = &r->j.findings[0];
        assert_int_equal(f->type, rows[i].type);
        assert_int_equal(f->got_type, rows[i].got_type);
        assert_string_equal(f->operand_class, rows[i].classes);
        assert_true(f->n_operands > 0);
        for (uint32_t k = 0; k < f->n_operands && k < 2; k++) {
            assert_int_equal(f->operand_type[k], rows[i].operand_type[k]);
            assert_true(f->operand[k] == rows[i].operand[k]);
        }
        free_rig(r);
    }
}

/* What an addition or a minimum leaves is bound as ever; what one finds where a float store was is not. */
static void value_rules_beside_such_atomics(void **state)
{
    (void)state;
    COVERS(HOLE_CL_FLOAT);
    COVERS(FADD_CR);
    static const char add_after_store[] =
        "OpAtomicStore %cells %c1 %c0 %one\n%l = OpAtomicFAddEXT %f32 %cells %c1 %c0 %x\n"
        "%r = OpBitcast %u32 %l\n";
    static const char min_after_load[] =
        "%k = OpAtomicLoad %f32 %cells %c1 %c0\n%l = OpAtomicFMinEXT %f32 %cells %c1 %c0 %x\n"
        "%r = OpBitcast %u32 %l\n";
    static const char load_after_add[] =
        "%k = OpAtomicFAddEXT %f32 %cells %c1 %c0 %x\n%l = OpAtomicLoad %f32 %cells %c1 %c0\n"
        "%r = OpBitcast %u32 %l\n";
    static const struct location_row rows[] = {
        {"%f32", add_after_store, {0},          ONE, ONE,   {TWO},     VERDICT_OK,  CLAUSE_NONE    },
        {"%f32", add_after_store, {0},          ONE, ONE,   {TWO + 1}, VERDICT_ULP, CLAUSE_FADD_CR },
        {"%f32", add_after_store, {0},          ONE, TWO,   {THREE},   DIVERGES,    HOLE           },
        {"%f32", min_after_load,  {ONE},        TWO, ONE,   {TWO},     VERDICT_ULP, CLAUSE_FMIN_NAN},
        {"%f32", min_after_load,  {MINUS_ZERO}, ONE, 0,     {0},       DIVERGES,    HOLE           },
        {"%f32", load_after_add,  {ONE},        ONE, TWO,   {TWO},     VERDICT_OK,  CLAUSE_NONE    },
        {"%f32", load_after_add,  {ONE},        ONE, THREE, {THREE},   VERDICT_ULP, CLAUSE_FADD_CR },
        {"%f32", load_after_add,  {ONE},        ONE, THREE, {TWO},     DIVERGES,    HOLE           },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        check_location(&rows[i], 1);
    }
}

/* Two invocations, what each saw, and the end. */
struct shared_row {
    const char *type, *body;
    uint32_t before, got[2], after;
    enum verdict_kind want;
    enum clause_id clause;
};

static void such_atomics_of_shared_locations(void **state)
{
    (void)state;
    COVERS(HOLE_CL_FLOAT);
    COVERS(RMW_CHAIN);
    static const char load_float[] =
        "%l = OpAtomicLoad %f32 %cells %c1 %c0\n%r = OpBitcast %u32 %l\n";
    static const char add_and_load[] =
        "%k = OpAtomicFAddEXT %f32 %cells %c1 %c0 %one\n%l = OpAtomicLoad %f32 %cells %c1 %c0\n"
        "%r = OpBitcast %u32 %k\n";
    static const struct shared_row rows[] = {
        {"%f32", load_float,   ONE,        {ONE, ONE},      ONE,     VERDICT_OK,        CLAUSE_NONE     },
        {"%f32", load_float,   MINUS_ZERO, {MINUS_ZERO, 0}, 0,       DIVERGES,          HOLE            },
        {"%f32", load_float,   ONE,        {ONE, TWO},      ONE,     DIVERGES,          HOLE            },
        {"%u32", load_int,     MINUS_ZERO, {MINUS_ZERO, 0}, 0,       VERDICT_ATOMICITY, CLAUSE_RMW_CHAIN},
        {"%f32", add_and_load, 0,          {0, ONE},        TWO,     VERDICT_OK,        CLAUSE_NONE     },
        {"%f32", add_and_load, 0,          {0, ONE},        TWO + 1, VERDICT_ULP,       CLAUSE_FADD_CR  },
        {"%f32", add_and_load, 0,          {0, 0},          ONE,     VERDICT_ATOMICITY, CLAUSE_RMW_CHAIN},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct edge const e = {rows[i].body, 0, 0, rows[i].got[0], rows[i].want, rows[i].clause};
        struct rig *r = make_edge(rows[i].type, rows[i].body, 2);
        r->cells[0] = rows[i].before;
        r->cells_after[0] = rows[i].after;
        r->out_after[1] = rows[i].got[1];
        check(r, &e);
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_out_of_an_integer_s_range),
        cmocka_unit_test(vulkan_counts_what_was_converted),
        cmocka_unit_test(remainders_by_any_reading),
        cmocka_unit_test(angles_of_zero),
        cmocka_unit_test(quotients_by_zero),
        cmocka_unit_test(quotients_by_zero_in_vulkan),
        cmocka_unit_test(second_results),
        cmocka_unit_test(float_atomics_that_no_clause_permits),
        cmocka_unit_test(atomics_that_clauses_permit),
        cmocka_unit_test(operands_have_their_own_types),
        cmocka_unit_test(refusals_that_such_atomics_cause),
        cmocka_unit_test(a_refusal_is_named_by_what_nothing_excuses),
        cmocka_unit_test(value_rules_beside_such_atomics),
        cmocka_unit_test(such_atomics_of_shared_locations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
