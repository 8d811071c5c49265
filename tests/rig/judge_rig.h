/* tests/rig/judge_rig.h -- small modules written out by hand, judged on made-up observations. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "oracle/judge/judge.h"

#define COVERS(id) (void)CLAUSE_##id

/* f32 encodings */
enum {
    ONE = 0x3f800000,
    TWO = 0x40000000,
    THREE = 0x40400000,
    MINUS_ONE = (int)0xbf800000,
    QNAN = 0x7fc00000,
    SNAN = 0x7f800001,
    PLUS_INF = 0x7f800000,
    TINY = 1,
    MAX = 0x7f7fffff
};
#define MINUS_ZERO 0x80000000U

static const char cl_frame[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpCapability AtomicFloat32AddEXT\nOpCapability AtomicFloat32MinMaxEXT\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"k\" %gid\n"
    "OpExecutionMode %main ContractionOff\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n"
    "%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
    "%pu = OpTypePointer CrossWorkgroup %u32\n%pf = OpTypePointer CrossWorkgroup %f32\n"
    "%fn = OpTypeFunction %void %pf %pu %pu\n"
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n"
    "%gid = OpVariable %pv3 Input\n"
    "%main = OpFunction %void None %fn\n%cells = OpFunctionParameter %pf\n"
    "%in = OpFunctionParameter %pu\n%out = OpFunctionParameter %pu\n"
    "%entry = OpLabel\n%id3 = OpLoad %v3 %gid\n%id = OpCompositeExtract %u64 %id3 0\n"
    "%pin = OpInBoundsPtrAccessChain %pu %in %id\n%vin = OpLoad %u32 %pin\n"
    "%v = OpBitcast %f32 %vin\n%pout = OpInBoundsPtrAccessChain %pu %out %id\n";
static const char cl_tail[] = "%bits = OpBitcast %u32 %r\nOpStore %pout %bits\n"
                              "OpReturn\nOpFunctionEnd\n";

static const char vk_frame[] =
    "OpCapability Shader\nOpCapability AtomicFloat32AddEXT\n"
    "OpCapability AtomicFloat32MinMaxEXT\n%s"
    "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n"
    "OpExtension \"SPV_KHR_float_controls\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"k\" %%gid\n"
    "OpExecutionMode %%main LocalSize 1 1 1\n%s"
    "OpDecorate %%gid BuiltIn GlobalInvocationId\n"
    "OpDecorate %%au ArrayStride 4\nOpDecorate %%af ArrayStride 4\n"
    "OpDecorate %%su Block\nOpDecorate %%sf Block\nOpMemberDecorate %%su 0 Offset 0\n"
    "OpMemberDecorate %%sf 0 Offset 0\n"
    "OpDecorate %%cells DescriptorSet 0\nOpDecorate %%cells Binding 0\n"
    "OpDecorate %%in DescriptorSet 0\nOpDecorate %%in Binding 1\n"
    "OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 2\n"
    "%%void = OpTypeVoid\n%%u32 = OpTypeInt 32 0\n%%f32 = OpTypeFloat 32\n"
    "%%v3 = OpTypeVector %%u32 3\n%%pv3 = OpTypePointer Input %%v3\n"
    "%%au = OpTypeRuntimeArray %%u32\n%%af = OpTypeRuntimeArray %%f32\n"
    "%%su = OpTypeStruct %%au\n%%sf = OpTypeStruct %%af\n"
    "%%psu = OpTypePointer StorageBuffer %%su\n%%psf = OpTypePointer StorageBuffer %%sf\n"
    "%%pu = OpTypePointer StorageBuffer %%u32\n%%pf = OpTypePointer StorageBuffer %%f32\n"
    "%%fn = OpTypeFunction %%void\n%%c0 = OpConstant %%u32 0\n%%c1 = OpConstant %%u32 1\n"
    "%%gid = OpVariable %%pv3 Input\n%%cells = OpVariable %%psf StorageBuffer\n"
    "%%in = OpVariable %%psu StorageBuffer\n%%out = OpVariable %%psu StorageBuffer\n"
    "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%id3 = OpLoad %%v3 %%gid\n"
    "%%id = OpCompositeExtract %%u32 %%id3 0\n"
    "%%pin = OpAccessChain %%pu %%in %%c0 %%id\n%%vin = OpLoad %%u32 %%pin\n"
    "%%v = OpBitcast %%f32 %%vin\n%%pout = OpAccessChain %%pu %%out %%c0 %%id\n"
    "%%cell = OpAccessChain %%pf %%cells %%c0 %%c0\n";

struct rig {
    struct arena a;
    struct testcase tc;
    struct observation ob;
    uint32_t cells[4], in[4], out[4];      /* before */
    uint32_t cells_after[4], out_after[4]; /* as the device left them */
    struct judgement j;
};

static inline void assemble(struct rig *r, const char *text, spv_target_env env)
{
    spv_context context = spvContextCreate(env);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS) {
        fail_msg("assembler: line %zu: %s", diagnostic->position.line, diagnostic->error);
    }
    r->tc.module = arena_copy(&r->a, binary->code, binary->wordCount * 4);
    r->tc.n_words = (uint32_t)binary->wordCount;
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
}

static inline struct rig *make_rig(enum env env, uint32_t n)
{
    struct rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, 64 << 20);
    memset(r->out, 0xa5, sizeof r->out); /* what no row stores */
    memset(r->out_after, 0xa5, sizeof r->out_after);
    r->tc = (struct testcase){
        .env = env,
        .profile = "test",
        .entry = "k",
        .build_options = "",
        .local = {1, 1, 1},
        .global = {n, 1, 1},
        .n_bufs = 3
    };
    r->tc.bufs[0] = (struct buf){.n_bytes = 16, .data = (unsigned char *)r->cells};
    r->tc.bufs[1] = (struct buf){.n_bytes = 16, .data = (unsigned char *)r->in};
    r->tc.bufs[2] = (struct buf){.n_bytes = 16, .data = (unsigned char *)r->out};
    r->ob = (struct observation){.status = RUN_DONE,
                                 .phase = PHASE_DONE,
                                 .log = "",
                                 .signature = "",
                                 .n_bufs = 3,
                                 .facts = "cl.fp32_config=0x3f\ncl.fp64_config=0x3f\n"};
    r->ob.out[0] = (unsigned char *)r->cells_after;
    r->ob.out[1] = (unsigned char *)r->in;
    r->ob.out[2] = (unsigned char *)r->out_after;
    return r;
}

static inline void free_rig(struct rig *r)
{
    arena_free(&r->a);
    free(r);
}

static inline enum verdict_kind judge_rig(struct rig *r)
{
    struct err e = {0};
    if (judge_run(&r->tc, &r->ob, &r->a, &r->j, &e) != RES_OK) {
        fail_msg("judge: %s", e.text);
    }
    return r->j.kind;
}

/* One invocation, one atomic on cells[0]. */
struct row {
    const char *op;
    uint32_t initial, operand, returned, final;
    enum verdict_kind want;
};

static inline void judge_rows(struct rig *r, const struct row *rows, size_t n)
{
    size_t n_checked = 0;
    for (size_t i = 0; i < n; i++) {
        r->cells[0] = rows[i].initial;
        r->in[0] = rows[i].operand;
        r->cells_after[0] = rows[i].final;
        r->out_after[0] = rows[i].returned;
        enum verdict_kind const got = judge_rig(r);
        if (got != rows[i].want) {
            fail_msg("row %zu: %s(%08x, %08x) returned %08x left %08x: %s, want %s (%s)", i,
                     rows[i].op, rows[i].initial, rows[i].operand, rows[i].returned, rows[i].final,
                     verdict_rows[got].name, verdict_rows[rows[i].want].name,
                     r->j.n_findings ? r->j.findings[0].text : r->j.note);
        }
        n_checked++;
    }
    assert_true(n_checked > 0);
}
