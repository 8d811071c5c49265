/* fuzz/trial/test_foreign_case.c -- what a case from elsewhere is, by its module: invalid, of half without Float16, with
 * the needs of its capabilities; and each neighbour that is not. Facts and verdicts are written down here, from the
 * texts of the specifications. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "fuzz/trial/foreign.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/judge/judge.h"

enum {
    N_BYTES = 64
};

struct rig {
    struct arena a;
    struct testcase tc;
    unsigned char bytes[N_BYTES];
};

/* A kernel of one pointer: its capabilities, types and body. */
#define KERNEL(capabilities, types, body)                                                          \
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int64\n"      \
    "OpCapability Int16\nOpCapability Int8\nOpCapability Vector16\n" capabilities                  \
    "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"                     \
    "OpEntryPoint Kernel %main \"main\"\n%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n"              \
    "%u64 = OpTypeInt 64 0\n%bool = OpTypeBool\n"                                                  \
    "%f32 = OpTypeFloat 32\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"                    \
    "%c2 = OpConstant %u32 2\n%c3 = OpConstant %u32 3\n%l0 = OpConstant %u64 0\n" types            \
    "%fn = OpTypeFunction %void %p\n"                                                              \
    "%main = OpFunction %void None %fn\n%out = OpFunctionParameter %p\n%l = OpLabel\n" body        \
    "OpReturn\nOpFunctionEnd\n"
#define U32  "%p = OpTypePointer CrossWorkgroup %u32\n"
#define F32  "%p = OpTypePointer CrossWorkgroup %f32\n%one = OpConstant %f32 1\n"
#define HALF "%f16 = OpTypeFloat 16\n%p = OpTypePointer CrossWorkgroup %f16\n"

/* A shader of one buffer of the type %t. */
#define SHADER(capabilities, modes, types, body)                                                   \
    "OpCapability Shader\nOpCapability Matrix\n" capabilities                                      \
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"                       \
    "OpExecutionMode %main LocalSize 1 1 1\n" modes                                                \
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"                                \
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"                                 \
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n%bool = OpTypeBool\n" types \
    "%block = OpTypeStruct %t\n%pb = OpTypePointer StorageBuffer %block\n"                         \
    "%p = OpTypePointer StorageBuffer %t\n%pw = OpTypePointer Workgroup %t\n"                      \
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c3 = OpConstant %u32 3\n"                  \
    "%out = OpVariable %pb StorageBuffer\n%shared = OpVariable %pw Workgroup\n"                    \
    "%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%l = OpLabel\n"                \
    "%at = OpAccessChain %p %out %c0\n" body "OpReturn\nOpFunctionEnd\n"

static void make(struct rig *r, enum env env, const char *text)
{
    struct err e = {RES_OK, ""};
    arena_init(&r->a, (size_t)64 << 20);
    memset(r->bytes, 0, sizeof r->bytes);
    r->tc = (struct testcase){
        .env = env,
        .profile = "atomics",
        .gen_version = GEN_VERSION,
        .source = "",
        .entry = "main",
        .build_options = "",
        .local = {1,  1, 1},
        .global = {1, 1, 1},
        .n_bufs = 1,
        .bufs = {{.n_bytes = N_BYTES, .data = r->bytes} }
    };
    if (spirv_assemble("case", text, strlen(text), &r->a, &r->tc.module, &r->tc.n_words, &e) !=
        RES_OK) {
        fail_msg("%s\n%s", e.text, text);
    }
    r->tc.module = arena_copy(&r->a, r->tc.module, r->tc.n_words * sizeof(uint32_t));
    ((uint32_t *)(uintptr_t)r->tc.module)[1] =
        env == ENV_CL && !strstr(text, "NonUniform") ? 0x10000 : 0x10300;
}

/* What the judge makes of the driver's refusal to build it. */
static void judge_refusal(struct rig *r, struct judgement *g)
{
    struct err e = {RES_OK, ""};
    struct observation const ob = {.status = RUN_REJECT,
                                   .phase = PHASE_BUILD,
                                   .driver_code = -11,
                                   .log = "no",
                                   .signature = "",
                                   .facts = "api=opencl\n"};
    assert_int_equal(judge_run(&r->tc, &ob, &r->a, g, &e), RES_OK);
}

struct class_row {
    enum env env;
    const char *text;
    enum case_class class;
    const char *remark; /* what it begins with */
};

/* A refusal is a finding of the legal ones alone. Illegal are a value before what defines it (SPIR-V 2.16.1), a capability
 * that the environment does not permit, and half for more than pointers (3.2.30, Float16Buffer); no list has pipes. */
static void the_module_tells_the_class(void **state)
{
    (void)state;
    /* clang-format off */
    static const struct class_row rows[] = {
        {ENV_CL, KERNEL("", U32, "%x = OpIAdd %u32 %c1 %c2\n%y = OpIAdd %u32 %x %c1\n"),
         CLASS_LEGAL,        ""                                    },
        {ENV_CL, KERNEL("", U32, "%y = OpIAdd %u32 %x %c1\n%x = OpIAdd %u32 %c1 %c2\n"),
         CLASS_ILLEGAL,      "spirv-val: "                         },
        {ENV_CL, KERNEL("OpCapability Shader\n", U32, ""),
         CLASS_ILLEGAL,      "spirv-val: "                         },
        {ENV_VK, SHADER("", "", "%t = OpTypeInt 32 1\n", ""),
         CLASS_LEGAL,        ""                                    },
        {ENV_VK, SHADER("OpCapability Kernel\n", "", "%t = OpTypeInt 32 1\n", ""),
         CLASS_ILLEGAL,      "spirv-val: "                         },
        {ENV_CL,
         KERNEL("OpCapability Float16Buffer\n", HALF,
                "%x = OpExtInst %f32 %std vload_half %l0 %out\n"),
         CLASS_LEGAL,        ""                                    },
        {ENV_CL,
         KERNEL("OpCapability Float16Buffer\n", HALF,
                "%x = OpLoad %f16 %out\n%y = OpFAdd %f16 %x %x\n"),
         CLASS_ILLEGAL,      "module: it uses half for more than"  },
        {ENV_CL,
         KERNEL("OpCapability Float16Buffer\n", HALF "%v = OpTypeVector %f16 4\n", ""),
         CLASS_ILLEGAL,      "module: it uses half for more than"  },
        {ENV_CL,
         KERNEL("OpCapability Float16Buffer\nOpCapability Float16\n", HALF,
                "%x = OpLoad %f16 %out\n%y = OpFAdd %f16 %x %x\n"),
         CLASS_LEGAL,        ""                                    },
        {ENV_CL, KERNEL("OpCapability Pipes\n", U32, ""),
         CLASS_UNADVERTISED, "module: no target lists its capability 17"},
    };
    /* clang-format on */
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig r;
        struct judgement g;
        make(&r, rows[i].env, rows[i].text);
        const char *const remark = foreign_classify(&r.tc, &r.a);
        if (r.tc.class != rows[i].class ||
            strncmp(remark, rows[i].remark, strlen(rows[i].remark)) != 0 || strchr(remark, '\n') ||
            (!rows[i].remark[0] && remark[0])) {
            fail_msg("%zu: class %s, remark \"%s\"", i, case_class_names[r.tc.class], remark);
        }
        judge_refusal(&r, &g);
        bool const is_accused = rows[i].class == CLASS_LEGAL;
        assert_int_equal(g.kind, is_accused ? VERDICT_REJECT : VERDICT_OK);
        assert_int_equal(g.n_findings, is_accused);
        arena_free(&r.a);
    }
}

#define ATOMIC_ADD "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
#define CONTROLS   "OpExtension \"SPV_KHR_float_controls\"\n"
#define U64        "%t = OpTypeInt 64 0\n%l1 = OpConstant %t 1\n"
struct need_row {
    enum env env;
    const char *text;
    const char *needs; /* all of them */
};

static void capabilities_are_needs(void **state)
{
    (void)state;
    /* clang-format off */
    static const struct need_row rows[] = {
        {ENV_CL, KERNEL("", U32, ""), ""},
        {ENV_CL, KERNEL("OpCapability Float64\n", U32, ""), "CL_F64"},
        {ENV_CL, KERNEL("OpCapability Float16\n", U32, ""), "CL_F16"},
        {ENV_CL,
         KERNEL("OpCapability Groups\n", U32, "%x = OpGroupIAdd %u32 %c2 Reduce %c1\n"),
         "CL_WG_COLLECTIVES"},
        {ENV_CL,
         KERNEL("OpCapability Groups\n", U32, "%x = OpGroupIAdd %u32 %c3 Reduce %c1\n"),
         "CL_SUBGROUPS"},
        {ENV_CL,
         KERNEL("OpCapability AtomicFloat32AddEXT\n" ATOMIC_ADD, F32,
                "%x = OpAtomicFAddEXT %f32 %out %c1 %c0 %one\n"),
         "CL_F32_GLOBAL_ADD"},
        {ENV_CL,
         KERNEL("OpCapability GroupNonUniform\n", U32, "%x = OpGroupNonUniformElect %bool %c3\n"),
         "CL_SG_BASIC"},
        {ENV_CL, KERNEL("OpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n", U32, ""),
         "CL_SG_BALLOT"},
        {ENV_VK, SHADER("", "", "%t = OpTypeInt 32 1\n", ""), ""},
        {ENV_VK, SHADER("OpCapability Int64\n", "", U64, "OpStore %at %l1\n"), "VK_I64"},
        {ENV_VK,
         SHADER("OpCapability Int64\nOpCapability Int64Atomics\n", "", U64,
                "%x = OpAtomicIAdd %t %at %c1 %c0 %l1\n"),
         "VK_I64 VK_I64_BUFFER_ATOMICS"},
        {ENV_VK,
         SHADER("OpCapability Int64\nOpCapability Int64Atomics\n", "", U64,
                "%x = OpAtomicIAdd %t %shared %c1 %c0 %l1\n"),
         "VK_I64 VK_I64_SHARED_ATOMICS"},
        {ENV_VK,
         SHADER("OpCapability DenormPreserve\n" CONTROLS,
                "OpExecutionMode %main DenormPreserve 32\n", "%t = OpTypeInt 32 1\n", ""),
         "VK_DENORM_PRESERVE32"},
        {ENV_VK,
         SHADER("OpExtension \"SPV_KHR_subgroup_uniform_control_flow\"\n",
                "OpExecutionMode %main SubgroupUniformControlFlowKHR\n", "%t = OpTypeInt 32 1\n", ""),
         "VK_SG_UNIFORM_FLOW"},
        {ENV_VK,
         SHADER("OpCapability GroupNonUniformVote\n", "", "%t = OpTypeInt 32 1\n",
                "%e = OpGroupNonUniformElect %bool %c3\n"),
         "VK_SG_BASIC VK_SG_VOTE"},
    };
    /* clang-format on */
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig r;
        make(&r, rows[i].env, rows[i].text);
        const char *const remark = foreign_classify(&r.tc, &r.a);
        if (remark[0] || r.tc.class != CLASS_LEGAL) {
            fail_msg("%zu: %s", i, remark);
        }
        for (int k = 0; k < NEED_N; k++) {
            bool const is_wanted = facts_has_word(arena_printf(&r.a, "needs=%s\n", rows[i].needs),
                                                  "needs", cap_rows[k].id);
            if (needs_has(&r.tc.needs, (enum need_id)k) != is_wanted) {
                fail_msg("%zu: %s is not as it should be", i, cap_rows[k].id);
            }
        }
        arena_free(&r.a);
    }
}

/* A device without shaderInt64 is not given what declares Int64; one that has it is, and so is a neighbour without. */
static void a_target_gets_what_it_lists(void **state)
{
    (void)state;
    static const struct {
        const char *text, *facts;
        enum fit fit;
    } rows[] = {
        {SHADER("OpCapability Int64\n", "", U64,                     ""), "vk.f.shaderInt64=0\n", FIT_NOT   },
        {SHADER("OpCapability Int64\n", "", U64,                     ""), "vk.f.shaderInt64=1\n", FIT_LISTED},
        {SHADER("",                     "", "%t = OpTypeInt 32 1\n", ""), "vk.f.shaderInt64=0\n", FIT_LISTED},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig r;
        make(&r, ENV_VK, rows[i].text);
        (void)foreign_classify(&r.tc, &r.a);
        assert_int_equal(facts_get_fit(rows[i].facts, &r.tc.needs), rows[i].fit);
        arena_free(&r.a);
    }
}

/* The module of a generated case says no more than the case does. */
static void generated_cases_stay_what_they_are(void **state)
{
    (void)state;
    for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
        for (uint64_t seed = 1; seed <= 12; seed++) {
            struct rig r;
            struct err e = {RES_OK, ""};
            struct tape tape;
            arena_init(&r.a, (size_t)512 << 20);
            struct rng rng = rng_seed(seed);
            assert_int_equal(tape_random(&tape, &rng, &r.a, &e), RES_OK);
            assert_int_equal(
                gen_case((enum profile)profile, (enum env)(seed % 2), &tape, &r.a, &r.tc, NULL, &e),
                RES_OK);
            struct needs const before = r.tc.needs;
            enum case_class const class = r.tc.class;
            const char *const remark = foreign_classify(&r.tc, &r.a);
            for (int k = 0; k < NEED_N; k++) {
                if (needs_has(&r.tc.needs, (enum need_id)k) !=
                    needs_has(&before, (enum need_id)k)) {
                    fail_msg("profile %d seed %u: %s, by the %s", profile, (unsigned)seed,
                             cap_rows[k].id,
                             needs_has(&before, (enum need_id)k) ? "generator" : "module");
                }
            }
            if (class != r.tc.class) {
                fail_msg("profile %d seed %u: %s", profile, (unsigned)seed, remark);
            }
            arena_free(&r.a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_module_tells_the_class),
        cmocka_unit_test(capabilities_are_needs),
        cmocka_unit_test(a_target_gets_what_it_lists),
        cmocka_unit_test(generated_cases_stay_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
