/* tests/rig/worker_group.h -- a sub-group reduction on real drivers, with the size that a case requires.
 * Part of test_worker.c; needs worker_rig.h. */
#pragma once

#include "tests/rig/worker_rig.h"

enum {
    GROUP_LOCAL = 24, /* of a size of 16 the last sub-group is half empty */
    GROUP_ITEMS = 48,
    GROUP_WORDS = 4 /* per invocation: SubgroupSize, SubgroupId, lane, sum */
};

/* Each invocation adds its number + 1 over its sub-group. The mode comes after the entry point. */
static const char *const opencl_group_head = "OpCapability Addresses\n"
                                             "OpCapability Kernel\n"
                                             "OpCapability Int64\n"
                                             "OpCapability Groups\n"
                                             "OpCapability SubgroupDispatch\n"
                                             "OpMemoryModel Physical64 OpenCL\n"
                                             "OpEntryPoint Kernel %f \"main_kernel\" %gid %sz %sid "
                                             "%lane\n";
static const char *const opencl_group_body = "OpDecorate %gid BuiltIn GlobalInvocationId\n"
                                             "OpDecorate %sz BuiltIn SubgroupSize\n"
                                             "OpDecorate %sid BuiltIn SubgroupId\n"
                                             "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n"
                                             "%void = OpTypeVoid\n"
                                             "%u32 = OpTypeInt 32 0\n"
                                             "%u64 = OpTypeInt 64 0\n"
                                             "%v3 = OpTypeVector %u64 3\n"
                                             "%pv3 = OpTypePointer Input %v3\n"
                                             "%pin = OpTypePointer Input %u32\n"
                                             "%pu = OpTypePointer CrossWorkgroup %u32\n"
                                             "%ft = OpTypeFunction %void %pu\n"
                                             "%gid = OpVariable %pv3 Input\n"
                                             "%sz = OpVariable %pin Input\n"
                                             "%sid = OpVariable %pin Input\n"
                                             "%lane = OpVariable %pin Input\n"
                                             "%one = OpConstant %u32 1\n"
                                             "%sub = OpConstant %u32 3\n"
                                             "%l1 = OpConstant %u64 1\n"
                                             "%l2 = OpConstant %u64 2\n"
                                             "%l3 = OpConstant %u64 3\n"
                                             "%l4 = OpConstant %u64 4\n"
                                             "%f = OpFunction %void None %ft\n"
                                             "%out = OpFunctionParameter %pu\n"
                                             "%l = OpLabel\n"
                                             "%g = OpLoad %v3 %gid\n"
                                             "%x = OpCompositeExtract %u64 %g 0\n"
                                             "%x32 = OpUConvert %u32 %x\n"
                                             "%v = OpIAdd %u32 %x32 %one\n"
                                             "%w0 = OpLoad %u32 %sz\n"
                                             "%w1 = OpLoad %u32 %sid\n"
                                             "%w2 = OpLoad %u32 %lane\n"
                                             "%w3 = OpGroupIAdd %u32 %sub Reduce %v\n"
                                             "%b = OpIMul %u64 %x %l4\n"
                                             "%b1 = OpIAdd %u64 %b %l1\n"
                                             "%b2 = OpIAdd %u64 %b %l2\n"
                                             "%b3 = OpIAdd %u64 %b %l3\n"
                                             "%p0 = OpInBoundsPtrAccessChain %pu %out %b\n"
                                             "%p1 = OpInBoundsPtrAccessChain %pu %out %b1\n"
                                             "%p2 = OpInBoundsPtrAccessChain %pu %out %b2\n"
                                             "%p3 = OpInBoundsPtrAccessChain %pu %out %b3\n"
                                             "OpStore %p0 %w0 Aligned 4\n"
                                             "OpStore %p1 %w1 Aligned 4\n"
                                             "OpStore %p2 %w2 Aligned 4\n"
                                             "OpStore %p3 %w3 Aligned 4\n"
                                             "OpReturn\n"
                                             "OpFunctionEnd\n";
static const char *const vulkan_group_text =
    "OpCapability Shader\n"
    "OpCapability GroupNonUniform\n"
    "OpCapability GroupNonUniformArithmetic\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %f \"main_kernel\" %gid %sz %sid %lane\n"
    "OpExecutionMode %f LocalSize 24 1 1\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\n"
    "OpDecorate %sz BuiltIn SubgroupSize\n"
    "OpDecorate %sid BuiltIn SubgroupId\n"
    "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n"
    "OpDecorate %ru ArrayStride 4\n"
    "OpDecorate %su Block\n"
    "OpMemberDecorate %su 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\n"
    "OpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n"
    "%u32 = OpTypeInt 32 0\n"
    "%v3 = OpTypeVector %u32 3\n"
    "%pv3 = OpTypePointer Input %v3\n"
    "%pin = OpTypePointer Input %u32\n"
    "%ru = OpTypeRuntimeArray %u32\n"
    "%su = OpTypeStruct %ru\n"
    "%psu = OpTypePointer StorageBuffer %su\n"
    "%pu = OpTypePointer StorageBuffer %u32\n"
    "%ft = OpTypeFunction %void\n"
    "%gid = OpVariable %pv3 Input\n"
    "%sz = OpVariable %pin Input\n"
    "%sid = OpVariable %pin Input\n"
    "%lane = OpVariable %pin Input\n"
    "%out = OpVariable %psu StorageBuffer\n"
    "%zero = OpConstant %u32 0\n"
    "%one = OpConstant %u32 1\n"
    "%two = OpConstant %u32 2\n"
    "%sub = OpConstant %u32 3\n"
    "%four = OpConstant %u32 4\n"
    "%f = OpFunction %void None %ft\n"
    "%l = OpLabel\n"
    "%g = OpLoad %v3 %gid\n"
    "%x = OpCompositeExtract %u32 %g 0\n"
    "%v = OpIAdd %u32 %x %one\n"
    "%w0 = OpLoad %u32 %sz\n"
    "%w1 = OpLoad %u32 %sid\n"
    "%w2 = OpLoad %u32 %lane\n"
    "%w3 = OpGroupNonUniformIAdd %u32 %sub Reduce %v\n"
    "%b = OpIMul %u32 %x %four\n"
    "%b1 = OpIAdd %u32 %b %one\n"
    "%b2 = OpIAdd %u32 %b %two\n"
    "%b3 = OpIAdd %u32 %b %sub\n"
    "%p0 = OpAccessChain %pu %out %zero %b\n"
    "%p1 = OpAccessChain %pu %out %zero %b1\n"
    "%p2 = OpAccessChain %pu %out %zero %b2\n"
    "%p3 = OpAccessChain %pu %out %zero %b3\n"
    "OpStore %p0 %w0\n"
    "OpStore %p1 %w1\n"
    "OpStore %p2 %w2\n"
    "OpStore %p3 %w3\n"
    "OpReturn\n"
    "OpFunctionEnd\n";

/* The case that requires this size of sub-groups, 0 for none. */
static void fill_group_case(struct fixture *f, uint32_t size)
{
    struct testcase *const tc = &f->tc;
    struct err e;
    const uint32_t *words = NULL;
    const char *mode =
        size ? arena_printf(&f->a, "OpExecutionMode %%f SubgroupSize %u\n", (unsigned)size) : "";
    const char *text = f->env == ENV_VK ? vulkan_group_text
                                        : arena_printf(&f->a, "%s%s%s", opencl_group_head, mode,
                                                       opencl_group_body);
    if (spirv_assemble("group", text, strlen(text), &f->a, &words, &tc->n_words, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    uint32_t *const module = arena_copy(&f->a, words, sizeof *words * tc->n_words);
    uint32_t const n_bytes = GROUP_ITEMS * GROUP_WORDS * 4;
    unsigned char *const content = arena_take(&f->a, n_bytes);
    assert_true(module && content);
    module[1] = f->env == ENV_CL ? 0x10100 : 0x10300;
    memset(content, 0xee, n_bytes);
    tc->module = module;
    tc->subgroup_size = size;
    tc->full_subgroups = f->env == ENV_VK && size != 0;
    tc->local[0] = GROUP_LOCAL;
    tc->global[0] = GROUP_ITEMS;
    tc->bufs[0] = (struct buf){.n_bytes = n_bytes, .data = content};
    tc->n_bufs = 1;
}

static uint32_t get_group_word(const struct observation *ob, uint32_t item, uint32_t word)
{
    return (uint32_t)load_le(ob->out[0] + 4 * ((size_t)item * GROUP_WORDS + word), 4);
}

/* Sub-groups by what was observed: distinct lanes, none past the size, and each has the sum of the
 * numbers of those that share its work-group and SubgroupId. */
static void check_group_result(const struct observation *ob, uint32_t required)
{
    uint32_t largest = 0;
    if (ob->status != RUN_DONE) {
        fail_msg("%s: %s", run_status_names[ob->status], ob->log);
    }
    for (uint32_t i = 0; i < GROUP_ITEMS; i++) {
        uint32_t const size = get_group_word(ob, i, 0);
        uint32_t sum = 0;
        for (uint32_t k = i - i % GROUP_LOCAL; k < i - i % GROUP_LOCAL + GROUP_LOCAL; k++) {
            int const is_mate = get_group_word(ob, k, 1) == get_group_word(ob, i, 1);
            sum += is_mate ? k + 1 : 0;
            assert_true(!is_mate || k == i || get_group_word(ob, k, 2) != get_group_word(ob, i, 2));
        }
        assert_true(get_group_word(ob, i, 2) < size);
        assert_int_equal(get_group_word(ob, i, 3), sum);
        largest = size > largest ? size : largest;
    }
    if (required) { /* a sub-group is never larger than the work-group */
        assert_int_equal(largest, required < GROUP_LOCAL ? required : GROUP_LOCAL);
    }
}
