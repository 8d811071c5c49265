/* tests/rig/expression_rig.h -- a few float instructions on four operands, judged in either environment. */
#pragma once

#include "tests/rig/judge_rig.h"

/* One invocation: %x0 to %x3 are loaded, what `body` leaves in %r is stored. */
struct program {
    enum env env;
    const char *modes;       /* OpExecutionMode lines */
    const char *decorations; /* OpDecorate lines */
    const char *body;
    const char *options; /* of the build; NULL: none */
    const char *version; /* that a Vulkan driver claims; NULL: the newest */
};

static inline const char *head_of(enum env env)
{
    return env == ENV_CL
               ? "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
                 "OpCapability AtomicFloat32AddEXT\n"
                 "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
                 "%gl = OpExtInstImport \"OpenCL.std\"\n"
                 "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\"\n"
               : "OpCapability Shader\nOpCapability SignedZeroInfNanPreserve\n"
                 "OpCapability RoundingModeRTE\nOpCapability RoundingModeRTZ\n"
                 "OpCapability DenormPreserve\n"
                 "OpCapability DenormFlushToZero\nOpCapability AtomicFloat32AddEXT\n"
                 "OpExtension \"SPV_KHR_float_controls\"\n"
                 "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
                 "%gl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
                 "OpEntryPoint GLCompute %main \"k\"\nOpExecutionMode %main LocalSize 1 1 1\n";
}

static inline const char *types_of(enum env env)
{
    return env == ENV_CL
               ? "%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n"
                 "%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%v2 = OpTypeVector %f32 2\n"
                 "%v3 = OpTypeVector %f32 3\n"
                 "%pu = OpTypePointer CrossWorkgroup %u32\n"
                 "%pf = OpTypePointer CrossWorkgroup %f32\n"
                 "%fn = OpTypeFunction %void %pf %pu %pu\n"
                 "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c2 = OpConstant %u32 2\n"
                 "%c3 = OpConstant %u32 3\n"
                 "%main = OpFunction %void None %fn\n%cell = OpFunctionParameter %pf\n"
                 "%in = OpFunctionParameter %pu\n%out = OpFunctionParameter %pu\n"
                 "%entry = OpLabel\n%pout = OpInBoundsPtrAccessChain %pu %out %c0\n"
               : "OpDecorate %au ArrayStride 4\nOpDecorate %af ArrayStride 4\n"
                 "OpDecorate %su Block\nOpDecorate %sf Block\nOpMemberDecorate %su 0 Offset 0\n"
                 "OpMemberDecorate %sf 0 Offset 0\n"
                 "OpDecorate %cells DescriptorSet 0\nOpDecorate %cells Binding 0\n"
                 "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 1\n"
                 "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 2\n"
                 "%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n"
                 "%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%v2 = OpTypeVector %f32 2\n"
                 "%v3 = OpTypeVector %f32 3\n"
                 "%au = OpTypeRuntimeArray %u32\n%af = OpTypeRuntimeArray %f32\n"
                 "%su = OpTypeStruct %au\n%sf = OpTypeStruct %af\n"
                 "%psu = OpTypePointer StorageBuffer %su\n"
                 "%psf = OpTypePointer StorageBuffer %sf\n"
                 "%pu = OpTypePointer StorageBuffer %u32\n"
                 "%pf = OpTypePointer StorageBuffer %f32\n"
                 "%fn = OpTypeFunction %void\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"
                 "%c2 = OpConstant %u32 2\n%c3 = OpConstant %u32 3\n"
                 "%cells = OpVariable %psf StorageBuffer\n%in = OpVariable %psu StorageBuffer\n"
                 "%out = OpVariable %psu StorageBuffer\n"
                 "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
                 "%cell = OpAccessChain %pf %cells %c0 %c0\n"
                 "%pout = OpAccessChain %pu %out %c0 %c0\n";
}

static inline struct rig *make_program(const struct program *p)
{
    struct rig *r = make_rig(p->env, 1);
    const char *loads = "";
    for (int i = 0; i < 4; i++) {
        loads = arena_printf(&r->a,
                             "%s%%pin%d = %s %%c%d\n%%i%d = OpLoad %%u32 %%pin%d\n"
                             "%%x%d = OpBitcast %%f32 %%i%d\n",
                             loads, i,
                             p->env == ENV_CL ? "OpInBoundsPtrAccessChain %pu %in"
                                              : "OpAccessChain %pu %in %c0",
                             i, i, i, i, i);
    }
    assemble(r,
             arena_printf(&r->a,
                          "%s%s%s%s%s%s%%bits = OpBitcast %%u32 %%r\nOpStore %%pout %%bits\n"
                          "OpReturn\nOpFunctionEnd\n",
                          head_of(p->env), p->modes, p->decorations, types_of(p->env), loads,
                          p->body),
             SPV_ENV_UNIVERSAL_1_3);
    r->tc.build_options = p->options ? p->options : "";
    if (p->version) {
        r->ob.facts = arena_printf(&r->a, "version=Vulkan %s\n", p->version);
    }
    return r;
}

/* The verdict of `got`, and the clause of the first finding. */
static inline void expect_verdict_of(struct rig *r, const char *what, uint32_t got,
                                     enum verdict_kind kind, enum clause_id clause)
{
    r->out_after[0] = got;
    enum verdict_kind const is = judge_rig(r);
    enum clause_id const of = r->j.n_findings ? r->j.findings[0].clause : CLAUSE_NONE;
    if (is != kind || of != clause) {
        fail_msg("%s: %08x: %s %s, want %s %s: %s", what, got, verdict_rows[is].name,
                 clause_rows[of].id, verdict_rows[kind].name, clause_rows[clause].id,
                 r->j.n_findings ? r->j.findings[0].text : r->j.note);
    }
    assert_true(r->j.n_judged > 0);
}

static inline uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
