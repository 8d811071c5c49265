/* tests/rig/groups_rig.h -- modules with group instructions written out by hand, on made-up devices. */
#pragma once

#include "tests/rig/judge_rig.h"

enum {
    MAX_LANES = 16,
    IN_WORDS = 2,  /* of each invocation: x and y */
    OUT_WORDS = 8, /* of each: three ids, five results */
    FIRST_RESULT = 3,
    SUBGROUP = 4, /* size on the made-up device */
    UNTOUCHED = (int)0xa5a5a5a5
};

static const char groups_ids[] = "OpDecorate %gid BuiltIn GlobalInvocationId\n"
                                 "OpDecorate %sg BuiltIn SubgroupId\n"
                                 "OpDecorate %sl BuiltIn SubgroupLocalInvocationId\n"
                                 "OpDecorate %ss BuiltIn SubgroupSize\n";
static const char groups_types[] =
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"
    "%v4 = OpTypeVector %u32 4\n%v3u = OpTypeVector %u32 3\n%pid = OpTypePointer Input %u32\n"
    "%true = OpConstantTrue %bool\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"
    "%c2 = OpConstant %u32 2\n%c3 = OpConstant %u32 3\n%c4 = OpConstant %u32 4\n"
    "%c5 = OpConstant %u32 5\n%c6 = OpConstant %u32 6\n%c7 = OpConstant %u32 7\n"
    "%c8 = OpConstant %u32 8\n%offsets = OpConstantComposite %v4 %c1 %c2 %c3 %c0\n"
    "%masks = OpConstantComposite %v3u %c2 %c1 %c2\n"
    "%sg = OpVariable %pid Input\n%sl = OpVariable %pid Input\n%ss = OpVariable %pid Input\n";
/* Pointers %p0 to %p7 into out, values %x, %y (as floats %fx, %fy) of in, %cond: y is not 0. */
static const char groups_start[] =
    "%sgv = OpLoad %u32 %sg\nOpStore %p0 %sgv\n%slv = OpLoad %u32 %sl\nOpStore %p1 %slv\n"
    "%ssv = OpLoad %u32 %ss\nOpStore %p2 %ssv\n"
    "%x = OpLoad %u32 %px\n%y = OpLoad %u32 %py\n%fx = OpBitcast %f32 %x\n"
    "%fy = OpBitcast %f32 %y\n%cond = OpINotEqual %bool %y %c0\n";
static const char groups_end[] = "OpReturn\nOpFunctionEnd\n";

static const char groups_vk_head[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"
    "OpCapability GroupNonUniformVote\nOpCapability GroupNonUniformArithmetic\n"
    "OpCapability GroupNonUniformShuffle\nOpCapability Groups\n"
    "OpExtension \"SPV_AMD_shader_ballot\"\n%amd = OpExtInstImport \"SPV_AMD_shader_ballot\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"k\" %gid %sg %sl %ss\n"
    "OpExecutionMode %main LocalSize 8 1 1\n";
static const char groups_vk_middle[] =
    "OpDecorate %au ArrayStride 4\nOpDecorate %su Block\nOpMemberDecorate %su 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n";
static const char groups_vk_main[] =
    "%pv3 = OpTypePointer Input %v3u\n%au = OpTypeRuntimeArray %u32\n%su = OpTypeStruct %au\n"
    "%psu = OpTypePointer StorageBuffer %su\n%pu = OpTypePointer StorageBuffer %u32\n"
    "%fn = OpTypeFunction %void\n%gid = OpVariable %pv3 Input\n"
    "%in = OpVariable %psu StorageBuffer\n%out = OpVariable %psu StorageBuffer\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%id3 = OpLoad %v3u %gid\n"
    "%id = OpCompositeExtract %u32 %id3 0\n";

static const char groups_cl_head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Groups\n"
    "OpCapability SubgroupDispatch\nOpCapability GroupNonUniformArithmetic\n"
    "OpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformBallot\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\" %gid %sg %sl %ss\n"
    "OpExecutionMode %main ContractionOff\n";
static const char groups_cl_main[] =
    "%u64 = OpTypeInt 64 0\n%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
    "%pu = OpTypePointer CrossWorkgroup %u32\n%fn = OpTypeFunction %void %pu %pu\n"
    "%gid = OpVariable %pv3 Input\n%main = OpFunction %void None %fn\n"
    "%in = OpFunctionParameter %pu\n%out = OpFunctionParameter %pu\n%entry = OpLabel\n"
    "%id3 = OpLoad %v3 %gid\n%id64 = OpCompositeExtract %u64 %id3 0\n"
    "%id = OpUConvert %u32 %id64\n";

struct groups_rig {
    struct rig *r;
    uint32_t n;
    uint32_t in[MAX_LANES * IN_WORDS];
    uint32_t before[MAX_LANES * OUT_WORDS], after[MAX_LANES * OUT_WORDS];
};

static inline uint32_t *slot(struct groups_rig *g, uint32_t lane, uint32_t k)
{
    return &g->after[lane * OUT_WORDS + k];
}

/* Ids of the made-up device: sub-groups of four, in order. */
static inline void set_ids(struct groups_rig *g)
{
    uint32_t const local = g->r->tc.local[0];
    for (uint32_t lane = 0; lane < g->n; lane++) {
        uint32_t const at = lane % local, left = local - at / SUBGROUP * SUBGROUP;
        *slot(g, lane, 0) = at / SUBGROUP;
        *slot(g, lane, 1) = at % SUBGROUP;
        /* OpenCL: the size of a last sub-group is what is left; Vulkan: the one size there is */
        *slot(g, lane, 2) = g->r->tc.env == ENV_CL && left < SUBGROUP ? left : SUBGROUP;
    }
}

static inline const char *groups_pointers(struct arena *a, const char *chain)
{
    const char *text = "%base = OpIMul %u32 %id %c8\n%two = OpIMul %u32 %id %c2\n"
                       "%two1 = OpIAdd %u32 %two %c1\n";
    text =
        arena_printf(a, "%s%%px = %s %%in %s%%two\n%%py = %s %%in %s%%two1\n", text, chain,
                     strstr(chain, "Ptr") ? "" : "%c0 ", chain, strstr(chain, "Ptr") ? "" : "%c0 ");
    for (uint32_t k = 0; k < OUT_WORDS; k++) {
        text = arena_printf(a, "%s%%a%u = OpIAdd %%u32 %%base %%c%u\n%%p%u = %s %%out %s%%a%u\n",
                            text, k, k, k, chain, strstr(chain, "Ptr") ? "" : "%c0 ", k);
    }
    return text;
}

/* n invocations in work-groups of `local`; modes: more OpExecutionModes, with their capabilities in
 * `capabilities`. */
static inline struct groups_rig *make_groups(enum env env, uint32_t n, uint32_t local,
                                             const char *capabilities, const char *modes,
                                             const char *body)
{
    struct groups_rig *g = calloc(1, sizeof *g);
    assert_non_null(g);
    assert_true(n <= MAX_LANES);
    g->r = make_rig(env, n);
    g->n = n;
    g->r->tc.local[0] = local;
    g->r->tc.n_bufs = g->r->ob.n_bufs = 2;
    g->r->tc.bufs[0] = (struct buf){.n_bytes = sizeof g->in, .data = (unsigned char *)g->in};
    g->r->tc.bufs[1] =
        (struct buf){.n_bytes = sizeof g->before, .data = (unsigned char *)g->before};
    g->r->ob.out[0] = (unsigned char *)g->in;
    g->r->ob.out[1] = (unsigned char *)g->after;
    g->r->ob.facts =
        env == ENV_CL ? "cl.fp32_config=0x3f\ncl.fp64_config=0x3f\n" : "vk.p.subgroupSize=4\n";
    memset(g->before, 0xa5, sizeof g->before);
    memset(g->after, 0xa5, sizeof g->after);
    struct arena *a = &g->r->a;
    const char *text =
        env == ENV_VK
            ? arena_printf(a, "%s%s%s%s%s%s%s%s%s%s%s", capabilities, groups_vk_head, modes,
                           groups_ids, groups_vk_middle, groups_types, groups_vk_main,
                           groups_pointers(a, "OpAccessChain %pu"), groups_start, body, groups_end)
            : arena_printf(a, "%s%s%s%s%s%s%s%s%s%s", capabilities, groups_cl_head, modes,
                           groups_ids, groups_types, groups_cl_main,
                           groups_pointers(a, "OpInBoundsPtrAccessChain %pu"), groups_start, body,
                           groups_end);
    assemble(g->r, text, SPV_ENV_UNIVERSAL_1_3);
    set_ids(g);
    return g;
}

static inline void free_groups(struct groups_rig *g)
{
    free_rig(g->r);
    free(g);
}

static inline void expect_verdict(struct groups_rig *g, const char *what, enum verdict_kind kind,
                                  enum clause_id clause)
{
    enum verdict_kind const got = judge_rig(g->r);
    const struct judgement *j = &g->r->j;
    if (got != kind || (kind != VERDICT_OK && j->findings[0].clause != clause)) {
        fail_msg("%s: %s %s, want %s %s: %s", what, verdict_rows[got].name,
                 j->n_findings ? clause_rows[j->findings[0].clause].id : "-",
                 verdict_rows[kind].name, clause_rows[clause].id,
                 j->n_findings ? j->findings[0].text : j->note);
    }
    assert_true(j->n_judged > 0 && (kind != VERDICT_OK || j->n_findings == 0));
}

static inline void expect_ok(struct groups_rig *g, const char *what)
{
    expect_verdict(g, what, VERDICT_OK, CLAUSE_NONE);
}

/* Slot k of a lane as another value, judged, and put back. */
static inline void expect_fault(struct groups_rig *g, const char *what, uint32_t lane, uint32_t k,
                                uint32_t value, enum verdict_kind kind, enum clause_id clause)
{
    uint32_t const honest = *slot(g, lane, k);
    assert_true(honest != value);
    *slot(g, lane, k) = value;
    expect_verdict(g, what, kind, clause);
    *slot(g, lane, k) = honest;
}
