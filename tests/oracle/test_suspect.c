/* tests/oracle/test_suspect.c -- where a model acts and where not, in modules written out by hand. */
#include <inttypes.h>
#include <stdio.h>

#include "oracle/explain/explain.h"
#include "oracle/fault/faults_flow.h"
#include "tests/rig/groups_rig.h"

/* The findings of the run under the hypothesis; the counts are in *s. */
static uint32_t judge_under(struct rig *r, enum fault_id fault, struct hypothesis *s)
{
    struct err e = {0};
    struct judgement under;
    struct arena_mark const mark = arena_get_mark(&r->a);
    *s = (struct hypothesis){.plan = fault_plan_of(fault)};
    if (explain_run(&r->tc, &r->ob, s, &r->a, &under, &e) != RES_OK) {
        fail_msg("%s: %s", fault_rows[fault].id, e.text);
    }
    assert_int_equal(under.n_inconclusive, 0);
    arena_release(&r->a, mark);
    return under.n_found;
}

/* ---- models of branched kernels ---- */

#define BRANCH "OpSelectionMerge %m None\nOpBranchConditional %cond %in_m %m\n%in_m = OpLabel\n"
#define MERGE  "OpBranch %m\n%m = OpLabel\n"
#define BALLOT                                                                                     \
    "%b = OpGroupNonUniformBallot %v4 %c3 %true\n%b0 = OpCompositeExtract %u32 %b 0\n"             \
    "OpStore %p4 %b0\n"

enum {
    N_LANES = 4,
    RESULT = 3, /* slots */
    BESIDE = 4,
    ODD = 12345, /* nobody has it */
    ALL_FOUR = 15
};

/* Where the instruction stands: between the texts. */
static const struct shape {
    const char *name, *before, *behind;
    bool is_branched;
    uint32_t beside; /* what is left in that slot */
} shapes[] = {
    {"straight",                     "",                                            "",                              false, (uint32_t)UNTOUCHED},
    {"behind a branch",              BRANCH "OpStore %p4 %y\n" MERGE,               "",                              false, 1                  },
    {"before a branch",              "",                                            BRANCH "OpStore %p4 %y\n" MERGE, false, 1                  },
    {"in a branch",                  BRANCH,                                        MERGE,                           true,  (uint32_t)UNTOUCHED},
    {"behind a barrier in a branch", BRANCH "OpControlBarrier %c2 %c2 %c0\n" MERGE, "",                              true,
     (uint32_t)UNTOUCHED                                                                                                                       },
    {"behind another in a branch",   BRANCH BALLOT MERGE,                           "",                              true,  ALL_FOUR           },
};

/* Instructions of whose models one is about branched kernels; x of lane i is i + 1. */
static const struct about {
    enum fault_id bug;
    enum env env;
    const char *text;
    uint32_t right[N_LANES];
    uint32_t wrong[N_LANES]; /* what they get in place of it */
} abouts[] = {
    {FAULT_REDUCE_LEFT_OPEN,
     ENV_CL, "%r = OpGroupIAdd %u32 %c2 Reduce %x\nOpStore %p3 %r\n",
     {10, 10, 10, 10},
     {ODD, ODD, ODD, ODD}},
    {FAULT_BROADCAST_LEFT_OPEN,
     ENV_CL, "%r = OpGroupBroadcast %u32 %c2 %x %c1\nOpStore %p3 %r\n",
     {2, 2, 2, 2},
     {ODD, ODD, ODD, ODD}},
    {FAULT_VOTE_LEFT_OPEN,
     ENV_CL, "%v = OpGroupAll %bool %c2 %cond\n%r = OpSelect %u32 %v %c7 %c5\nOpStore %p3 %r\n",
     {7, 7, 7, 7},
     {5, 5, 5, 5}        },
    {FAULT_SECOND_OF_SCAN_OPEN,
     ENV_CL, "%r = OpGroupIAdd %u32 %c2 ExclusiveScan %x\nOpStore %p3 %r\n",
     {0, 1, 3, 6},
     {0, ODD, 2, 3}      },
    {FAULT_NOT_FOLDED,
     ENV_CL, "%r = OpGroupNonUniformIAdd %u32 %c3 InclusiveScan %x\nOpStore %p3 %r\n",
     {1, 3, 6, 10},
     {1, 2, 3, 4}        },
    {FAULT_FIRST_LOST_OPEN,
     ENV_CL, "%r = OpGroupIAdd %u32 %c2 Reduce %x\nOpStore %p3 %r\n",
     {10, 10, 10, 10},
     {ODD, ODD, ODD, ODD}},
    {FAULT_FIRST_LOST_OPEN,
     ENV_CL, "%r = OpGroupIAdd %u32 %c3 Reduce %x\nOpStore %p3 %r\n",
     {10, 10, 10, 10},
     {ODD, ODD, ODD, ODD}},
};

static struct groups_rig *make_shape(const struct about *about, const struct shape *shape)
{
    char body[1024];
    int const n = snprintf(body, sizeof body, "%s%s%s", shape->before, about->text, shape->behind);
    assert_true(n > 0 && (size_t)n < sizeof body);
    struct groups_rig *const g = make_groups(about->env, N_LANES, N_LANES, "", "", body);
    for (uint32_t lane = 0; lane < N_LANES; lane++) {
        g->in[lane * IN_WORDS] = lane + 1;
        g->in[lane * IN_WORDS + 1] = 1;
        *slot(g, lane, RESULT) = about->right[lane];
        *slot(g, lane, BESIDE) = shape->beside;
    }
    return g;
}

static void a_model_of_branched_kernels_acts_there_alone(void **state)
{
    (void)state;
    struct hypothesis s;
    for (size_t i = 0; i < ARRAY_N(abouts); i++) {
        assert_true(fault_rows[abouts[i].bug].where & AT_BRANCHED);
        for (size_t k = 0; k < ARRAY_N(shapes); k++) {
            struct groups_rig *const g = make_shape(&abouts[i], &shapes[k]);
            expect_ok(g, shapes[k].name);
            assert_int_equal(judge_under(g->r, abouts[i].bug, &s), 0);
            for (uint32_t lane = 0; lane < N_LANES; lane++) {
                *slot(g, lane, RESULT) = abouts[i].wrong[lane];
            }
            assert_int_not_equal(judge_rig(g->r), VERDICT_OK);
            uint32_t const n_left = judge_under(g->r, abouts[i].bug, &s);
            bool const acts = n_left == 0 && s.n_taken > 0;
            bool const is_idle = n_left == g->r->j.n_found && s.n_sites == 0;
            if (shapes[k].is_branched ? !acts : !is_idle) {
                fail_msg("%s, %s: %u of %u findings left, %u values of %u taken",
                         fault_rows[abouts[i].bug].id, shapes[k].name, n_left, g->r->j.n_found,
                         s.n_taken, s.n_sites);
            }
            free_groups(g);
        }
    }
}

/* ---- models that leave one value open for all of a group ---- */

/* In a branch that all take: what goes together, and what does not. */
static const struct shared {
    enum fault_id bug;
    const char *text;
    uint32_t right[N_LANES], its[N_LANES], foreign[N_LANES];
} shared[] = {
    {FAULT_REDUCE_LEFT_OPEN,
     "%r = OpGroupIAdd %u32 %c2 Reduce %x\nOpStore %p3 %r\n",                            {10, 10, 10, 10},
     {ODD, ODD, ODD, ODD},
     {10, 10, ODD, 10}                               },
    {FAULT_REDUCE_LEFT_OPEN,
     "%r = OpGroupIAdd %u32 %c2 Reduce %x\nOpStore %p3 %r\n",                            {10, 10, 10, 10},
     {ODD, ODD, ODD, ODD},
     {ODD, ODD, ODD, ODD + 1}                        },
    {FAULT_BROADCAST_LEFT_OPEN,
     "%r = OpGroupBroadcast %u32 %c2 %x %c1\nOpStore %p3 %r\n",                          {2, 2, 2, 2},
     {ODD, ODD, ODD, ODD},
     {2, 2, 2, ODD}                                  },
    {FAULT_VOTE_LEFT_OPEN,
     "%v = OpGroupAll %bool %c2 %cond\n%r = OpSelect %u32 %v %c7 %c5\nOpStore %p3 %r\n", {7, 7, 7, 7},
     {5, 5, 5, 5},
     {5, 7, 7, 7}                                    },
    {FAULT_SECOND_OF_SCAN_OPEN,
     "%r = OpGroupIAdd %u32 %c2 ExclusiveScan %x\nOpStore %p3 %r\n",                     {0, 1, 3, 6},
     {0, ODD, 2, 3},
     {0, ODD, 3, 6}                                  },
    {FAULT_FIRST_LOST_OPEN,
     "%r = OpGroupIAdd %u32 %c2 InclusiveScan %x\nOpStore %p3 %r\n",                     {1, 3, 6, 10},
     {ODD, ODD + 2, ODD + 5, ODD + 9},
     {ODD, 3, 6, 10}                                 },
    {FAULT_FIRST_LOST_OPEN,
     "%r = OpGroupIAdd %u32 %c2 InclusiveScan %x\nOpStore %p3 %r\n",                     {1, 3, 6, 10},
     {ODD, ODD + 2, ODD + 5, ODD + 9},
     {1, 3, ODD, 10}                                 },
    {FAULT_FIRST_LOST_OPEN,
     "%r = OpGroupUMax %u32 %c2 InclusiveScan %x\nOpStore %p3 %r\n",                     {1, 2, 3, 4},
     {ODD, ODD, ODD, ODD},
     {1, 2, ODD, 4}                                  },
    {FAULT_FIRST_LOST_OPEN,     /* 1, 3, 6, 10 as floats; 50, 52, 55, 59 */
     "%f = OpConvertUToF %f32 %x\n%g = OpGroupFAdd %f32 %c2 InclusiveScan %f\n"
     "%r = OpBitcast %u32 %g\nOpStore %p3 %r\n",              {0x3f800000, 0x40400000, 0x40c00000, 0x41200000},
     {0x42480000, 0x42500000, 0x425c0000, 0x426c0000},
     {0x42480000, 0x42480000, 0x42480000, 0x42480000}},
};

/* What is left in one memory or register is the same for all: where one lane alone has it, or one differs, it is something
 * else, and nothing of it is explained. */
static void what_a_group_leaves_is_one_value(void **state)
{
    (void)state;
    static const struct shape in_branch = {"in a branch", BRANCH, MERGE, true, (uint32_t)UNTOUCHED};
    struct hypothesis s;
    for (size_t i = 0; i < ARRAY_N(shared); i++) {
        struct about about = {.bug = shared[i].bug, .env = ENV_CL, .text = shared[i].text};
        memcpy(about.right, shared[i].right, sizeof about.right);
        struct groups_rig *const g = make_shape(&about, &in_branch);
        expect_ok(g, about.text);
        for (uint32_t lane = 0; lane < N_LANES; lane++) {
            *slot(g, lane, RESULT) = shared[i].its[lane];
        }
        assert_int_not_equal(judge_rig(g->r), VERDICT_OK);
        if (judge_under(g->r, about.bug, &s) != 0 || s.n_taken == 0) {
            fail_msg("row %zu: %s does not explain its values", i, fault_rows[about.bug].id);
        }
        for (uint32_t lane = 0; lane < N_LANES; lane++) {
            *slot(g, lane, RESULT) = shared[i].foreign[lane];
        }
        assert_int_not_equal(judge_rig(g->r), VERDICT_OK);
        if (judge_under(g->r, about.bug, &s) != g->r->j.n_found || s.n_taken != 0) {
            fail_msg("row %zu: %s explains what is not its", i, fault_rows[about.bug].id);
        }
        free_groups(g);
    }
}

/* ---- models that leave a value open ---- */

/* One invocation that takes the magnitude of a number as the 16 components of a vector. */
static const char wide_fabs[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability "
    "Float64\nOpCapability Vector16\n"
    "%cl = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\"\n"
    "OpExecutionMode %main ContractionOff\n"
    "%void = OpTypeVoid\n%f64 = OpTypeFloat 64\n%v16 = OpTypeVector %f64 16\n"
    "%pf = OpTypePointer CrossWorkgroup %f64\n%fn = OpTypeFunction %void %pf %pf %pf\n"
    "%main = OpFunction %void None %fn\n"
    "%cells = OpFunctionParameter %pf\n%in = OpFunctionParameter %pf\n"
    "%out = OpFunctionParameter %pf\n%entry = OpLabel\n%x = OpLoad %f64 %in\n"
    "%v = OpCompositeConstruct %v16 %x %x %x %x %x %x %x %x %x %x %x %x %x %x %x %x\n"
    "%w = OpExtInst %v16 %cl fabs %v\n%r = OpCompositeExtract %f64 %w 0\n"
    "OpStore %out %r\nOpReturn\nOpFunctionEnd\n";

/* Whether a value that the driver gives is the right one by chance says nothing of whether it has the bug; and what it gives
 * is one of few values: of a lost operand the function of zero, or 1, or what the word had, and not what is next to these. */
static void a_model_acts_where_one_of_its_values_is_right(void **state)
{
    (void)state;
    static const uint64_t rights[] = {
        UINT64_C(0x3ff0000000000000), /* one of them */
        UINT64_C(0x4000000000000000),
    };
    static const uint64_t its[] = {0, UINT64_C(0x7ff8000000000000), UINT64_C(0xa5a5a5a5a5a5a5a5)};
    struct rig *const r = make_rig(ENV_CL, 1);
    struct hypothesis s;
    assemble(r, wide_fabs, SPV_ENV_UNIVERSAL_1_3);
    for (size_t i = 0; i < ARRAY_N(rights); i++) {
        memcpy(r->in, &rights[i], sizeof rights[i]);
        memcpy(r->out_after, &rights[i], sizeof rights[i]);
        assert_int_equal(judge_rig(r), VERDICT_OK);
        assert_int_equal(judge_under(r, FAULT_WIDE_DOUBLE, &s), 0);
        assert_true(s.n_sites > 0 && s.n_kept == s.n_sites);
        r->out_after[0] ^= 1;
        assert_int_equal(judge_rig(r), VERDICT_ULP);
        assert_int_equal(judge_under(r, FAULT_DIVIDED_BY_ZERO_OPEN, &s), r->j.n_found);
        assert_int_equal(judge_under(r, FAULT_WIDE_DOUBLE, &s), r->j.n_found);
        assert_int_equal(judge_under(r, FAULT_WIDE_VECTOR, &s), r->j.n_found);
        assert_int_equal(s.n_taken, 0);
        for (size_t k = 0; k < ARRAY_N(its); k++) {
            memcpy(r->out_after, &its[k], sizeof its[k]);
            assert_int_not_equal(judge_rig(r), VERDICT_OK);
            assert_int_equal(judge_under(r, FAULT_WIDE_DOUBLE, &s), 0);
            assert_int_equal(s.n_taken, 1);
            assert_true(s.n_free < HYPOTHESIS_OPEN_BITS);
        }
    }
    free_rig(r);
}

/* ---- models that say which values a driver gives, and where ---- */

/* One invocation, whose result is that of an instruction on what it loads from %in, of the format that `type` names. */
static const struct bounded {
    const char *text; /* the instruction, or several, with %x of the type, %r */
    enum fmt_id fmt;
    enum fault_id bug;
    uint64_t in, right, its, foreign;
} bounded[] = {
  /* what an integer made of a float gives is truncated as a float; a zero that is no such thing is not */
    {"%i = OpConvertFToS %u32 %x\n%r = OpConvertSToF %t %i", FMT_F32, FAULT_INT_AND_BACK,
     0xbe800000,                                                                                              0,          0x80000000, 0x3f800000},
    {"%i = OpBitcast %u32 %x\n%r = OpConvertSToF %t %i",     FMT_F32, FAULT_INT_AND_BACK,         0,          0,          0,
     0x80000000                                                                                                                                 },
    {"%r = OpConvertSToF %t %minus5",                        FMT_F32, FAULT_CONSTANT_UNSIGNED,    0,          0xc0a00000, 0x4f800000,
     0x40a00000                                                                                                                                 },
    {"%i = OpBitcast %u32 %x\n%r = OpConvertSToF %t %i",     FMT_F32, FAULT_CONSTANT_UNSIGNED,
     0xfffffffb,                                                                                              0xc0a00000, 0xc0a00000, 0x4f800000},
    {"%y = OpFSub %t %x %x\n%r = OpFDiv %t %x %y",           FMT_F32, FAULT_DIVIDED_BY_ZERO_OPEN, 0x40400000,
     0x7f800000,                                                                                                          0x7f800000, 0x300     },
    {"%r = OpFDiv %t %x %x",                                 FMT_F32, FAULT_DIVIDED_BY_ZERO_OPEN, 1,          0x3f800000, 0x3f800000,
     0x40a00000                                                                                                                                 },
    {"%r = OpExtInst %t %cl normalize %x",                   FMT_F16, FAULT_NORMALIZE_OF_ONE,     0xc200,     0xbc00,     0x3c00,
     0x4700                                                                                                                                     },
    {"%r = OpExtInst %t %cl length %x",                      FMT_F16, FAULT_LENGTH_OF_ONE,        0xc200,     0x4200,     0xc200,
     0x4880                                                                                                                                     },
    {"%r = OpExtInst %t %cl length %x",                      FMT_F16, FAULT_LENGTH_OF_ONE,        0x4200,     0x4200,     0x4200,
     0xc200                                                                                                                                     },
    {"%r = OpExtInst %t %cl tgamma %x",                      FMT_F32, FAULT_TGAMMA_OFF,           0xc1080000, 0xb7dcea72,
     0xb7dceb3a,                                                                                                                      0x42f60000},
    {"%r = OpExtInst %t %cl tgamma %x",                      FMT_F32, FAULT_TGAMMA_INFINITE,      0xc20e0000, 0x00008dbe,
     0x7f800000,                                                                                                                      0x42f60000},
    {"%r = OpExtInst %t %cl tgamma %x",                      FMT_F32, FAULT_TGAMMA_TINY_INTEGER,  0xc2180001, 0x80057526,
     0x80051504,                                                                                                                      0x8004f000},
    {"%r = OpExtInst %t %cl tgamma %x",                      FMT_F32, FAULT_TGAMMA_INFINITE,      0xc20fffff, 0x036fccf0,
     0x7f800000,                                                                                                                      0x7f7fffff},
    {"%r = OpExtInst %t %cl sinpi %x",                       FMT_F32, FAULT_SINPI_OF_ODD,         0x3f800000, 0,          0x80000000,
     0x3f800000                                                                                                                                 },
    {"%r = OpExtInst %t %cl sinpi %x",                       FMT_F32, FAULT_SINPI_OF_ODD,         0,          0,          0,          0x80000000},
 /* any quiet NaN is right; of code 0 there is no NaN without the bit, of any other code no infinity */
    {"%i = OpBitcast %u32 %x\n%r = OpExtInst %t %cl nan %i", FMT_F32, FAULT_NAN_OF_CODE,          0x00012345,
     0x7fc12345,                                                                                                          0x7f812345, 0x7f800000},
    {"%i = OpBitcast %u32 %x\n%r = OpExtInst %t %cl nan %i", FMT_F32, FAULT_NAN_OF_CODE,          0,
     0x7fc00000,                                                                                                          0x7f800000, 0x40000000},
    {"%v = OpCompositeConstruct %v4 %x %x %x %x\n%w = OpExtInst %v4 %cl sin %v\n%r = "
     "OpCompositeExtract %t %w 0",                      FMT_F32, FAULT_WIDE_SINE,            0x3453cd8a, 0x3453cd8a, 0x3c53cc07, 0x3c53cc00},
    {"%v = OpCompositeConstruct %v4 %x %x %x %x\n%w = OpExtInst %v4 %cl sin %v\n%r = "
     "OpCompositeExtract %t %w 0",                      FMT_F32, FAULT_WIDE_SINE,            0x3f000000, 0x3ef57744, 0x3ef57744, 0x7fc00000},
 /* next to a bound the value that the driver gives, and not the encoding behind it */
    {"%r = OpExtInst %t %cl erfc %x",                        FMT_F32, FAULT_ERFC_LARGE,           0x40ffd001, 0x0f7a3372, 0x0f7a33b2,
     0x0f7a33b3                                                                                                                                 },
    {"%r = OpExtInst %t %cl erfc %x",                        FMT_F32, FAULT_ERFC_LARGE,           0x40ffd001, 0x0f7a3372, 0x0f7a33b2,
     0x0f7a3332                                                                                                                                 },
    {"%r = OpExtInst %t %cl rsqrt %x",                       FMT_F16, FAULT_RSQRT_NEXT,           0x0485,     0x5787,     0x5788,     0x5785    },
    {"%r = OpExtInst %t %cl rsqrt %x",                       FMT_F16, FAULT_RSQRT_NEXT,           0x0472,     0x5797,     0x5798,     0x5799    },
 /* nextafter of a constant 2^-140 is that of zero, up where the other number is above it */
    {"%r = OpExtInst %t %cl nextafter %tiny %x",             FMT_F32, FAULT_NEXT_OF_FLUSHED,      0xbf800000,
     0x000001ff,                                                                                                          0xffffffff, 0x00000001},
    {"%r = OpExtInst %t %cl nextafter %tiny %x",             FMT_F32, FAULT_NEXT_OF_FLUSHED,      0x3f800000,
     0x00000201,                                                                                                          0x00000001, 0xffffffff},
    {"%r = OpExtInst %t %cl nextafter %x %tiny",             FMT_F32, FAULT_NEXT_OF_FLUSHED,      0x00000100,
     0x00000101,                                                                                                          0x00000101, 0x00000001},
};
static void assemble_bounded(struct rig *r, const struct bounded *b)
{
    char text[4096];
    unsigned const width = float_formats[b->fmt].n_bits;
    (void)snprintf(
        text, sizeof text,
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int16\n%s"
        "%%cl = OpExtInstImport \"OpenCL.std\"\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%main \"k\"\n"
        "OpExecutionMode %%main ContractionOff\n"
        "%%void = OpTypeVoid\n%%u32 = OpTypeInt 32 0\n%%t = OpTypeFloat %u\n%%v4 = OpTypeVector "
        "%%t 4\n"
        "%%pf = OpTypePointer CrossWorkgroup %%t\n%%fn = OpTypeFunction %%void %%pf %%pf %%pf\n"
        "%%minus5 = OpConstant %%u32 4294967291\n%%zero = OpConstantNull %%t\n%s"
        "%%main = OpFunction %%void None %%fn\n%%cells = OpFunctionParameter %%pf\n"
        "%%in = OpFunctionParameter %%pf\n%%out = OpFunctionParameter %%pf\n%%entry = OpLabel\n"
        "%%x = OpLoad %%t %%in\n%s\nOpStore %%out %%r\nOpReturn\nOpFunctionEnd\n",
        width == 16 ? "OpCapability Float16\n" : "", width,
        width == 16 ? "" : "%tiny = OpConstant %t 0x1p-140\n", b->text);
    assemble(r, text, SPV_ENV_UNIVERSAL_1_3);
}

/* The right value is permitted, the driver's own is explained by the model, and the foreign one is not. */
static void check_bounded(struct rig *r, size_t i, const struct bounded *b)
{
    struct hypothesis s;
    size_t const n_bytes = float_formats[b->fmt].n_bits / 8;
    memset(r->out_after, 0xa5, sizeof r->out_after);
    memcpy(r->in, &b->in, n_bytes);
    memcpy(r->out_after, &b->right, n_bytes);
    if (judge_rig(r) != VERDICT_OK) {
        fail_msg("row %zu: the right value is none: %s", i, r->j.findings[0].text);
    }
    memcpy(r->out_after, &b->its, n_bytes);
    bool const is_wrong = judge_rig(r) != VERDICT_OK;
    if (is_wrong != (b->its != b->right)) {
        fail_msg("row %zu: %" PRIx64 " is %spermitted", i, b->its, is_wrong ? "not " : "");
    }
    if (judge_under(r, b->bug, &s) != 0 || s.n_taken != is_wrong) {
        fail_msg("row %zu: %s does not explain %" PRIx64, i, fault_rows[b->bug].id, b->its);
    }
    memcpy(r->out_after, &b->foreign, n_bytes);
    if (judge_rig(r) == VERDICT_OK) {
        fail_msg("row %zu: %" PRIx64 " is permitted", i, b->foreign);
    }
    if (judge_under(r, b->bug, &s) != r->j.n_found || s.n_taken != 0) {
        fail_msg("row %zu: %s explains %" PRIx64, i, fault_rows[b->bug].id, b->foreign);
    }
}

/* A model takes what its driver gives for its own, where the driver gives that, and nothing else. */
static void a_bounded_model_takes_its_values_alone(void **state)
{
    (void)state;
    struct rig *const r = make_rig(ENV_CL, 1);
    for (size_t i = 0; i < ARRAY_N(bounded); i++) {
        assemble_bounded(r, &bounded[i]);
        check_bounded(r, i, &bounded[i]);
    }
    free_rig(r);
}

/* The same of a shader: %g is GLSL.std.450. */
static void a_bounded_model_of_shaders_takes_its_values_alone(void **state)
{
    (void)state;
    static const struct bounded rows[] = {
        {"%r = OpExtInst %f32 %g Exp %v",  FMT_F32, FAULT_EXP_PAST, 0xbd2a31de, 0x3f7594af,
         0x3f7594b2, 0x3f7594b3},
        {"%r = OpExtInst %f32 %g Exp2 %v", FMT_F32, FAULT_EXP_PAST, 0xbd6b2ca8, 0x3f76030d,
         0x3f760310, 0x3f760309},
        {"%r = OpExtInst %f32 %g Log %v",  FMT_F32, FAULT_LOG_PAST, 0x3eeba1af, 0xbf46ab8d,
         0xbf46ab90, 0xbf46ab91},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *const r = make_rig(ENV_VK, 1);
        const char *const frame = arena_printf(&r->a, vk_frame, "", "");
        const char *const at = strstr(frame, "OpMemoryModel");
        assemble(r,
                 arena_printf(&r->a, "%.*s%%g = OpExtInstImport \"GLSL.std.450\"\n%s%s\n%s",
                              (int)(at - frame), frame, at, rows[i].text, cl_tail),
                 SPV_ENV_VULKAN_1_1);
        check_bounded(r, i, &rows[i]);
        free_rig(r);
    }
}

/* What is loaded before a barrier for an integer that is used behind it, and what is not: %l of work-group memory. */
static void what_is_loaded_for_an_integer_across_a_barrier(void **state)
{
    (void)state;
    static const struct {
        const char *before, *behind;
        bool is_across;
    } rows[] = {
        {"%i = OpIAdd %u32 %l %c1\n",                                "OpStore %pout %i\n", true },
        {"%h = OpIAdd %u32 %l %c1\n%i = OpBitwiseAnd %u32 %h %c1\n", "OpStore %pout %i\n", true },
        {"%i = OpIAdd %u32 %l %c1\nOpStore %pout %i\n",              "",                   false},
        {"%i = OpIAdd %u32 %c1 %c1\n",                               "OpStore %pout %i\n", false},
        {"",                                                         "OpStore %pout %l\n", true },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *const r = make_rig(ENV_CL, 1);
        struct module m;
        struct err e = {0};
        const char *const at = strstr(cl_frame, "%c0 = ");
        assemble(
            r,
            arena_printf(&r->a,
                         "%.*s%%c2 = OpConstant %%u32 2\n%%sem = OpConstant %%u32 264\n"
                         "%%pw = OpTypePointer Workgroup %%u32\n%%w = OpVariable %%pw Workgroup\n"
                         "%sOpStore %%w %%vin\n%%l = OpLoad %%u32 %%w\n%s"
                         "OpControlBarrier %%c2 %%c2 %%sem\n%sOpReturn\nOpFunctionEnd\n",
                         (int)(at - cl_frame), cl_frame, at, rows[i].before, rows[i].behind),
            SPV_ENV_UNIVERSAL_1_2);
        assert_int_equal(module_decode_case(&m, &r->tc, &r->a, &e), RES_OK);
        uint32_t n_loads = 0;
        for (uint32_t k = 0; k < m.n_code; k++) {
            uint32_t const pointer = module_get_operand(&m, &m.code[k], MOD_OPERAND);
            if (m.code[k].op == SpvOpLoad &&
                m.ids[m.ids[pointer].type].t.storage == SpvStorageClassWorkgroup) {
                assert_int_equal(fault_flow_is_computed_across_barrier(&m, &m.code[k]),
                                 rows[i].is_across);
                n_loads++;
            }
        }
        assert_int_equal(n_loads, 1);
        free_rig(r);
    }
}

/* Lists and journals have the names of earlier tables. */
static void earlier_names_are_of_the_models_in_their_place(void **state)
{
    (void)state;
    assert_int_equal(fault_find("WIDE_DOUBLE_OPEN"), FAULT_WIDE_DOUBLE);
    assert_int_equal(fault_find("WIDE_DOUBLE_SECOND_OPEN"), FAULT_WIDE_DOUBLE_SECOND);
    assert_int_equal(fault_find("WIDE_VECTOR_OPEN"), FAULT_WIDE_VECTOR);
    assert_int_equal(fault_find("WIDE_VECTOR_SECOND_OPEN"), FAULT_WIDE_VECTOR_SECOND);
    assert_int_equal(fault_find("BROADCAST_OF_NO_HALF"), FAULT_BROADCAST_OF_HALF);
    assert_int_equal(fault_find("WIDE_DOUBLE"), FAULT_WIDE_DOUBLE);
    assert_int_equal(fault_find("WIDE_DOUBLE_CLOSED"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_of_branched_kernels_acts_there_alone),
        cmocka_unit_test(what_a_group_leaves_is_one_value),
        cmocka_unit_test(a_model_acts_where_one_of_its_values_is_right),
        cmocka_unit_test(a_bounded_model_takes_its_values_alone),
        cmocka_unit_test(a_bounded_model_of_shaders_takes_its_values_alone),
        cmocka_unit_test(what_is_loaded_for_an_integer_across_a_barrier),
        cmocka_unit_test(earlier_names_are_of_the_models_in_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
