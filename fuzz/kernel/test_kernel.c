/* fuzz/kernel/test_kernel.c -- kernels from their files: what they are, what is left of them, their buffers, what is in these.
 * Each expectation is worked by hand from the text of the kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "fuzz/io/spirv.h"
#include "fuzz/kernel/kernel_case.h"
#include "oracle/sim/sim_undefined.h"
#include "oracle/vouch/vouch.h"
#include "tests/rig/folder_rig.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)

static void each_form_is_told_by_its_content(void **state)
{
    static const struct {
        const char *text;
        enum kernel_form form;
    } rows[] = {
        {"#version 450\nvoid main() {}",                     KERNEL_GLSL      },
        {"// a comment\n/* kernel */\n#version 310 es\n",    KERNEL_GLSL      },
        {"__kernel void f(__global int *p) {}",              KERNEL_OPENCL_C  },
        {"/* x */ kernel void f(global int *p) {}",          KERNEL_OPENCL_C  },
        {"; SPIR-V\n; Version: 1.3\nOpCapability Shader\n",  KERNEL_SPIRV_TEXT},
        {"%1 = OpExtInstImport \"a\"\nOpMemoryModel A B\n",  KERNEL_SPIRV_TEXT},
        {"#!amber\nSHADER compute s GLSL\n",                 KERNEL_AMBER     },
        {"HLTC....",                                         KERNEL_CASE      },
        {"\x03\x02\x23\x07....",                             KERNEL_SPIRV     },
        {"\x07\x23\x02\x03....",                             KERNEL_SPIRV     },
        {"kernels are not a_kernel; OpMemoryModels neither", KERNEL_UNKNOWN   },
        {"",                                                 KERNEL_UNKNOWN   },
        {"/* open",                                          KERNEL_UNKNOWN   },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_int_equal(kernel_file_find_form(rows[i].text, strlen(rows[i].text)), rows[i].form);
    }
}

struct rig {
    struct arena a;
    char folder[256], path[512];
    struct kernel_wishes wishes;
    struct kernel k;
    struct err e;
};

static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    if (!r) {
        return -1;
    }
    arena_init(&r->a, TEST_ARENA_BYTES);
    folder_make(r->folder, sizeof r->folder, "kernel");
    r->wishes.compiler_options = "";
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    folder_remove(r->folder);
    arena_free(&r->a);
    free(r);
    return 0;
}

/* A kernel from a file of that text. */
static enum res open_text(struct rig *r, const char *text)
{
    (void)snprintf(r->path, sizeof r->path, "%s/kernel", r->folder);
    assert_int_equal(file_write(r->path, text, strlen(text), &r->e), RES_OK);
    return kernel_open(r->path, &r->wishes, &r->a, &r->k, &r->e);
}

/* Blocks of a translator that keeps LLVM's order, names, lines, debug information, linkage, a declaration. */
static const char kernel_text[] =
    "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\n"
    "%1 = OpExtInstImport \"OpenCL.std\"\n"
    "%2 = OpExtInstImport \"OpenCL.DebugInfo.100\"\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %20 \"f\"\n"
    "%3 = OpString \"kernel.cl\"\n"
    "OpSource OpenCL_C 200000\n"
    "OpName %21 \"values\"\nOpName %20 \"f\"\nOpName %22 \"n\"\n"
    "OpDecorate %21 FuncParamAttr NoCapture\n"
    "OpDecorate %20 LinkageAttributes \"f\" Export\n"
    "OpDecorate %40 LinkageAttributes \"g\" Import\n"
    "%4 = OpTypeVoid\n%5 = OpTypeInt 32 0\n%6 = OpTypeFloat 32\n%7 = OpTypeBool\n"
    "%8 = OpTypePointer CrossWorkgroup %6\n"
    "%9 = OpTypeFunction %4 %8 %5\n"
    "%10 = OpTypeFunction %4\n"
    "%11 = OpConstant %5 0\n%12 = OpConstant %6 2\n"
    "%13 = OpExtInst %4 %2 DebugInfoNone\n"
    "%40 = OpFunction %4 None %10\nOpFunctionEnd\n"
    "%20 = OpFunction %4 None %9\n"
    "%21 = OpFunctionParameter %8\n%22 = OpFunctionParameter %5\n"
    "%23 = OpLabel\nOpLine %3 3 1\n%30 = OpUGreaterThan %7 %22 %11\n"
    "OpBranchConditional %30 %25 %24\n"
    "%24 = OpLabel\nOpReturn\n"
    "%25 = OpLabel\n%31 = OpLoad %6 %21 Aligned 4\n"
    "%32 = OpFMul %6 %31 %12\nOpBranch %26\n"
    "%27 = OpLabel\nOpStore %21 %33 Aligned 4\nOpBranch %24\n"
    "%26 = OpLabel\n%33 = OpFAdd %6 %32 %12\nOpBranch %27\nOpFunctionEnd\n";

/* What says nothing of the results is gone, blocks stand behind those that dominate them, and buffers have their names. */
static void what_says_nothing_is_removed(void **state)
{
    struct rig *const r = *state;
    struct testcase tc;
    uint32_t offset = SPV_HEADER_WORDS, n_labels = 0;
    uint32_t labels[8];
    struct spv_inst in;
    if (open_text(r, kernel_text) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    while (spv_next(r->k.words, r->k.n_words, &offset, &in)) {
        assert_true(in.op != SpvOpName && in.op != SpvOpString && in.op != SpvOpSource &&
                    in.op != SpvOpLine && in.op != SpvOpExtInst);
        assert_false(in.op == SpvOpCapability && in.w[1] == SpvCapabilityLinkage);
        assert_false(in.op == SpvOpFunction && in.w[2] == 40);
        if (in.op == SpvOpLabel) {
            labels[n_labels++] = in.w[1];
        }
    }
    static const uint32_t want[] = {23, 25, 26, 27, 24};
    assert_int_equal(n_labels, ARRAY_N(want));
    assert_memory_equal(labels, want, sizeof want);
    assert_int_equal(r->k.shape.n_bufs, 2);
    assert_string_equal(r->k.shape.bufs[0].name, "values");
    assert_int_equal(r->k.shape.bufs[0].kind, BUF_STORAGE);
    assert_int_equal(r->k.shape.bufs[0].element_bytes, 4);
    assert_int_equal(r->k.shape.bufs[1].kind, BUF_VALUE);
    assert_int_equal(r->k.shape.bufs[1].fixed_bytes, 4);
    /* all of its work-items store to one number, which is a data race of more than one */
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(tc.global[0], 1);
    /* a driver is given the options that are about the module, not those about the text */
    assert_string_equal(tc.build_options, "");
    r->wishes.compiler_options = "-cl-std=CL3.0  -I x -cl-denorms-are-zero -D N=1 -cl-mad-enable ";
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_string_equal(tc.build_options, "-cl-denorms-are-zero -cl-mad-enable");
}

static const char shader_text[] =
    "OpCapability Shader\n%1 = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %20 \"main\" %9\nOpExecutionMode %20 LocalSize 8 4 1\n"
    "OpDecorate %9 BuiltIn GlobalInvocationId\n"
    "OpDecorate %5 ArrayStride 8\nOpDecorate %6 Block\nOpMemberDecorate %6 0 Offset 0\n"
    "OpMemberDecorate %6 1 Offset 16\nOpMemberDecorate %6 1 NonWritable\n"
    "OpDecorate %11 DescriptorSet 1\nOpDecorate %11 Binding 7\n"
    "OpDecorate %12 DescriptorSet 0\nOpDecorate %12 Binding 9\n"
    "%2 = OpTypeVoid\n%3 = OpTypeInt 32 0\n%4 = OpTypeFloat 32\n%15 = OpTypeVector %4 2\n"
    "%5 = OpTypeRuntimeArray %15\n%6 = OpTypeStruct %3 %5\n"
    "%7 = OpTypePointer StorageBuffer %6\n%8 = OpTypeVector %3 3\n%16 = OpTypePointer Input %8\n"
    "%9 = OpVariable %16 Input\n%10 = OpTypeFunction %2\n"
    "%11 = OpVariable %7 StorageBuffer\n%12 = OpVariable %7 StorageBuffer\n"
    "%13 = OpConstant %3 1\n%14 = OpTypePointer StorageBuffer %15\n"
    "%20 = OpFunction %2 None %10\n%21 = OpLabel\n%22 = OpLoad %8 %9\n"
    "%23 = OpCompositeExtract %3 %22 1\n%24 = OpAccessChain %14 %11 %13 %23\n"
    "%25 = OpAccessChain %14 %12 %13 %23\n%26 = OpLoad %15 %24\nOpStore %25 %26\n"
    "OpReturn\nOpFunctionEnd\n";

/* Set 0 comes before set 1, an index of y makes two dimensions, and a header of 16 bytes stands before the elements. */
static void bindings_are_numbered(void **state)
{
    struct rig *const r = *state;
    struct testcase tc;
    if (open_text(r, shader_text) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    assert_int_equal(r->k.shape.n_bufs, 2);
    assert_int_equal(r->k.shape.bufs[0].id, 12);
    assert_int_equal(r->k.shape.bufs[1].id, 11);
    assert_int_equal(r->k.shape.bufs[1].set, 1);
    assert_int_equal(r->k.shape.bufs[0].fixed_bytes, 16);
    assert_int_equal(r->k.shape.bufs[0].element_bytes, 8);
    assert_int_equal(r->k.shape.n_dims, 2);
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(tc.local[0], 8);
    assert_int_equal(tc.local[1], 4);
    assert_int_equal(tc.global[0] * tc.global[1], 16 * 8);
    assert_int_equal(tc.bufs[0].n_bytes, 16 + 8 * 16 * 8);
}

/* What a user says of a buffer is in it; what nobody says is drawn, the same for the same seed. */
static void buffers_hold_what_is_wished(void **state)
{
    struct rig *const r = *state;
    struct testcase tc, again;
    assert_int_equal(open_text(r, shader_text), RES_OK);
    assert_int_equal(kernel_wish_read("1.5", &r->a, &r->wishes.bufs[1], &r->e), RES_OK);
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 3, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(load_le(tc.bufs[1].data, 4), 1); /* the integer before the elements */
    assert_int_equal(load_le(tc.bufs[1].data + 16, 4), 0x3fc00000); /* 1.5 */
    assert_int_equal(load_le(tc.bufs[1].data + 4, 4), 0);           /* between them nothing */
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 3, &r->a, &again, &r->e), RES_OK);
    assert_memory_equal(tc.bufs[0].data, again.bufs[0].data, tc.bufs[0].n_bytes);
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 4, &r->a, &again, &r->e), RES_OK);
    assert_memory_not_equal(tc.bufs[0].data, again.bufs[0].data, tc.bufs[0].n_bytes);
}

/* values[where[i]] = values[where[i]] + 1.5: a data race, but where no two of `where` are equal. */
static const char scatter_text[] =
    "; SPIR-V\n; Version: 1.0\n"
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %20 \"main\" %9\nOpExecutionMode %20 LocalSize 32 1 1\n"
    "OpDecorate %9 BuiltIn GlobalInvocationId\n"
    "OpDecorate %5 ArrayStride 4\nOpDecorate %6 BufferBlock\nOpMemberDecorate %6 0 Offset 0\n"
    "OpDecorate %15 ArrayStride 4\nOpDecorate %16 BufferBlock\nOpMemberDecorate %16 0 Offset 0\n"
    "OpDecorate %11 DescriptorSet 0\nOpDecorate %11 Binding 0\n"
    "OpDecorate %12 DescriptorSet 0\nOpDecorate %12 Binding 1\n"
    "%2 = OpTypeVoid\n%3 = OpTypeInt 32 0\n%4 = OpTypeFloat 32\n"
    "%5 = OpTypeRuntimeArray %3\n%6 = OpTypeStruct %5\n%7 = OpTypePointer Uniform %6\n"
    "%15 = OpTypeRuntimeArray %4\n%16 = OpTypeStruct %15\n%17 = OpTypePointer Uniform %16\n"
    "%8 = OpTypeVector %3 3\n%18 = OpTypePointer Input %8\n%9 = OpVariable %18 Input\n"
    "%10 = OpTypeFunction %2\n%11 = OpVariable %7 Uniform\n%12 = OpVariable %17 Uniform\n"
    "%13 = OpConstant %3 0\n%14 = OpTypePointer Uniform %3\n%19 = OpTypePointer Uniform %4\n"
    "%28 = OpConstant %4 1.5\n"
    "%20 = OpFunction %2 None %10\n%21 = OpLabel\n%22 = OpLoad %8 %9\n"
    "%23 = OpCompositeExtract %3 %22 0\n%24 = OpAccessChain %14 %11 %13 %23\n"
    "%25 = OpLoad %3 %24\n%26 = OpAccessChain %19 %12 %13 %25\n%27 = OpLoad %4 %26\n"
    "%29 = OpFAdd %4 %27 %28\nOpStore %26 %29\nOpReturn\nOpFunctionEnd\n";

/* Drawn indices are a data race; those that ascend are not, and each sum is judged. What the user gives stays. */
static void inputs_are_searched_until_something_is_judged(void **state)
{
    struct rig *const r = *state;
    struct judgement *const g = ARENA_NEW(&r->a, struct judgement, 1);
    struct testcase tc;
    assert_int_equal(open_text(r, scatter_text), RES_OK);
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(vouch_case(&tc, &r->e), RES_OK);
    assert_true(sim_judge(&tc, 1, &r->a, g));
    assert_int_equal(g->n_judged, testcase_get_items(&tc));
    assert_int_equal(kernel_wish_read("zeros", &r->a, &r->wishes.bufs[0], &r->e), RES_OK);
    r->wishes.size[0] = 64;
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(load_le(tc.bufs[0].data + 4, 4), 0);
    assert_true(sim_judge(&tc, 1, &r->a, g));
    assert_int_not_equal(g->undefined, UNDEFINED_NONE);
}

/* Numbers of 16 bits: exact, halfway (to even), the largest one and what rounds to infinity, subnormals. */
static void numbers_are_rounded_to_nearest_even(void **state)
{
    static const struct {
        double number;
        unsigned n_bits;
        bool is_bfloat;
        uint64_t bits;
    } rows[] = {
        {1.5,               16, false, 0x3e00    },
        {-2,                16, false, 0xc000    },
        {1 + 0x1p-11,       16, false, 0x3c00    },
        {1 + 0x3p-11,       16, false, 0x3c02    },
        {1 + 0x1.8p-11,     16, false, 0x3c01    },
        {65504,             16, false, 0x7bff    },
        {65519,             16, false, 0x7bff    },
        {65520,             16, false, 0x7c00    },
        {-1e300,            16, false, 0xfc00    },
        {0x1p-14,           16, false, 0x0400    },
        {0x1p-24,           16, false, 0x0001    },
        {0x1p-25,           16, false, 0x0000    },
        {0x1.8p-25,         16, false, 0x0001    },
        {-0x1p-26,          16, false, 0x8000    },
        {0x1p-15 - 0x1p-26, 16, false, 0x0200    },
        {1,                 16, true,  0x3f80    },
        {1 + 0x1p-8,        16, true,  0x3f80    },
        {1 + 0x3p-8,        16, true,  0x3f82    },
        {0,                 16, false, 0         },
        {1.5,               32, false, 0x3fc00000},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct kernel_scalar const s = {
            .n_bits = rows[i].n_bits, .is_float = true, .is_bfloat = rows[i].is_bfloat};
        if (kernel_encode(rows[i].number, &s) != rows[i].bits) {
            fail_msg("row %zu: %llx", i, (unsigned long long)kernel_encode(rows[i].number, &s));
        }
    }
}

static void a_file_is_a_buffer(void **state)
{
    static const char npy[] = "\x93NUMPY\x01\x00\x06\x00{'a'} abcd";
    struct rig *const r = *state;
    struct kernel_wish wish;
    (void)snprintf(r->path, sizeof r->path, "%s/in.npy", r->folder);
    assert_int_equal(file_write(r->path, npy, sizeof npy - 1, &r->e), RES_OK);
    assert_int_equal(kernel_wish_read(r->path, &r->a, &wish, &r->e), RES_OK);
    assert_int_equal(wish.n_bytes, 4);
    assert_memory_equal(wish.bytes, "abcd", 4);
    assert_int_equal(kernel_wish_read("/nowhere/at/all", &r->a, &wish, &r->e), RES_USAGE);
    assert_non_null(strstr(r->e.text, "/nowhere/at/all"));
}

/* Two kernels; the first uses one of two tables, prints and throws away what printf gives, and has local memory for an argument;
 * the second prints and keeps that. */
static const char two_kernels_text[] =
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability ImageBasic\n"
    "%1 = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %20 \"f\"\nOpEntryPoint Kernel %40 \"g\"\n"
    "OpName %7 \"used\"\nOpName %8 \"unused\"\nOpName %23 \"scratch\"\n"
    "%2 = OpTypeVoid\n%3 = OpTypeInt 32 0\n%4 = OpConstant %3 3\n%5 = OpTypeArray %3 %4\n"
    "%6 = OpTypePointer UniformConstant %5\n%9 = OpConstantComposite %5 %4 %4 %4\n"
    "%10 = OpTypePointer CrossWorkgroup %3\n%11 = OpTypePointer Workgroup %3\n"
    "%12 = OpTypePointer UniformConstant %3\n%16 = OpTypePointer Function %3\n%13 = OpConstant %3 "
    "0\n"
    "%14 = OpTypeFunction %2 %11 %10\n%15 = OpTypeFunction %2 %10\n"
    "%7 = OpVariable %6 UniformConstant %9\n%8 = OpVariable %6 UniformConstant %9\n"
    "%20 = OpFunction %2 Pure %14\n%23 = OpFunctionParameter %11\n%21 = OpFunctionParameter %10\n"
    "%22 = OpLabel\n%24 = OpInBoundsAccessChain %12 %7 %13\n"
    "%25 = OpInBoundsAccessChain %12 %8 %13\n%26 = OpExtInst %3 %1 printf %25\n"
    "%27 = OpLoad %3 %24\n%29 = OpVariable %16 Function\nOpStore %29 %27\nOpStore %23 %27\n%28 = "
    "OpLoad %3 %23\nOpStore %21 %28\n"
    "OpReturn\nOpFunctionEnd\n"
    "%40 = OpFunction %2 None %15\n%41 = OpFunctionParameter %10\n%42 = OpLabel\n"
    "%45 = OpInBoundsAccessChain %12 %8 %13\n%46 = OpExtInst %3 %1 printf %45\n"
    "OpStore %41 %46\nOpReturn\nOpFunctionEnd\n";

static uint32_t count(const struct kernel *k, uint32_t op)
{
    uint32_t offset = SPV_HEADER_WORDS, n = 0;
    struct spv_inst in;
    while (spv_next(k->words, k->n_words, &offset, &in)) {
        n += in.op == op;
    }
    return n;
}

/* Does such an instruction come next after the first label? */
static bool comes_after_label(const struct kernel *k, uint32_t op)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(k->words, k->n_words, &offset, &in) && in.op != SpvOpLabel) {
    }
    return spv_next(k->words, k->n_words, &offset, &in) && in.op == op;
}

/* Of the kernel that is asked for stays what it uses; a printf stays where its result is used. */
static void one_kernel_is_kept_with_what_it_uses(void **state)
{
    struct rig *const r = *state;
    r->wishes.entry = "f";
    if (open_text(r, two_kernels_text) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    assert_int_equal(count(&r->k, SpvOpEntryPoint), 1);
    assert_int_equal(count(&r->k, SpvOpFunction), 1);
    assert_int_equal(count(&r->k, SpvOpExtInst), 0);
    assert_int_equal(count(&r->k, SpvOpVariable),
                     3); /* the table, local memory, the function's own */
    assert_true(comes_after_label(&r->k, SpvOpVariable));
    assert_int_equal(count(&r->k, SpvOpCapability), 2);
    assert_int_equal(
        spv_get_word(&(struct spv_inst){.w = r->k.words + SPV_HEADER_WORDS, .n = 2}, 1),
        SpvCapabilityAddresses);
    r->wishes.entry = "g";
    assert_int_equal(open_text(r, two_kernels_text), RES_OK);
    assert_int_equal(count(&r->k, SpvOpExtInst), 1);
    assert_int_equal(count(&r->k, SpvOpVariable), 1);
}

/* Arguments 0: global memory, 1: memory of the work-group, 2: a struct of a float and an integer, 3: global memory. */
static const char arguments_text[] =
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpMemoryModel Physical64 "
    "OpenCL\n"
    "OpEntryPoint Kernel %20 \"f\" %30\nOpExecutionMode %20 LocalSize 4 1 1\n"
    "OpName %22 \"tmp\"\nOpName %23 \"q\"\nOpDecorate %23 FuncParamAttr ByVal\n"
    "OpDecorate %30 BuiltIn GlobalInvocationId\n"
    "%2 = OpTypeVoid\n%3 = OpTypeInt 32 0\n%4 = OpTypeFloat 32\n%5 = OpTypeStruct %4 %3\n"
    "%6 = OpTypePointer CrossWorkgroup %4\n%7 = OpTypePointer Workgroup %4\n"
    "%8 = OpTypePointer Function %5\n%9 = OpTypePointer Function %4\n"
    "%10 = OpTypeFunction %2 %6 %7 %8 %6\n%11 = OpConstant %3 0\n"
    "%12 = OpTypeInt 64 0\n%13 = OpTypeVector %12 3\n%14 = OpTypePointer Input %13\n"
    "%30 = OpVariable %14 Input\n"
    "%20 = OpFunction %2 None %10\n%21 = OpFunctionParameter %6\n"
    "%22 = OpFunctionParameter %7\n%23 = OpFunctionParameter %8\n%24 = OpFunctionParameter %6\n"
    "%25 = OpLabel\n%31 = OpLoad %13 %30 Aligned 32\n%32 = OpCompositeExtract %12 %31 0\n"
    "%33 = OpUConvert %3 %32\n%34 = OpConvertUToF %4 %33\n"
    "%26 = OpInBoundsAccessChain %9 %23 %11\n%27 = OpLoad %4 %26 Aligned 4\n"
    "%35 = OpInBoundsPtrAccessChain %6 %24 %32\nOpStore %35 %27 Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

/* Local memory becomes a variable, the struct a buffer of its 8 bytes; buffers keep the numbers of the file. The struct's float is
 * what the user says, and is stored as what it was. */
static void arguments_become_what_a_case_gives(void **state)
{
    struct rig *const r = *state;
    struct testcase tc;
    const char *said = "";
    r->wishes.bufs[2] =
        (struct kernel_wish){.is_given = true, .content = KERNEL_CONTENT_NUMBER, .number = 2.5};
    if (open_text(r, arguments_text) != RES_OK ||
        kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    assert_int_equal(vouch_case(&tc, &r->e), RES_OK);
    assert_true(kernel_args_has(&r->k.args, KERNEL_ARG_LOCAL));
    assert_int_equal(tc.n_bufs, 3);
    assert_int_equal(r->k.shape.bufs[1].number, 2);
    assert_string_equal(r->k.shape.bufs[1].name, "q");
    assert_int_equal(r->k.shape.bufs[2].number, 3);
    assert_int_equal(tc.bufs[1].n_bytes, 8);
    assert_int_equal(load_le(tc.bufs[1].data, 4), 0x40200000); /* 2.5 */
    assert_int_equal(load_le(tc.bufs[1].data + 4, 4), 2);
    if (spirv_validate(&tc, &r->a, &said) != SPIRV_VALID) {
        fail_msg("%s", said);
    }
    /* one element for each of 4 work-items */
    assert_int_equal(tc.module[r->k.args.row[1].length], 4);
}

/* --buffer 1=BYTES is its size: 64 bytes are 16 floats, 2 bytes none. */
static void local_memory_has_the_wished_size(void **state)
{
    struct rig *const r = *state;
    struct testcase tc;
    r->wishes.bufs[1] =
        (struct kernel_wish){.is_given = true, .content = KERNEL_CONTENT_NUMBER, .number = 64};
    assert_int_equal(open_text(r, arguments_text), RES_OK);
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(tc.module[r->k.args.row[1].length], 16);
    r->wishes.bufs[1].number = 2;
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_USAGE);
    assert_non_null(strstr(r->e.text, "argument 1"));
}

/* Two shaders of one module, the first of 32 invocations, the second of as many as SpecId 4 says; SpecId 5 is a bool, 6 a float. The
 * second reads integers and makes them floats bit by bit. */
static const char two_text[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %20 \"one\" %11\nOpEntryPoint GLCompute %30 \"two\" %11 %12\n"
    "OpExecutionMode %20 LocalSize 32 1 1\nOpExecutionModeId %30 LocalSizeId %50 %51 %51\n"
    "OpDecorate %50 SpecId 4\nOpDecorate %52 SpecId 5\nOpDecorate %53 SpecId 6\n"
    "OpDecorate %5 ArrayStride 4\nOpDecorate %6 Block\nOpMemberDecorate %6 0 Offset 0\n"
    "OpDecorate %11 DescriptorSet 0\nOpDecorate %11 Binding 0\n"
    "OpDecorate %12 DescriptorSet 0\nOpDecorate %12 Binding 1\n"
    "%2 = OpTypeVoid\n%3 = OpTypeInt 32 0\n%4 = OpTypeFloat 32\n%15 = OpTypeBool\n"
    "%5 = OpTypeRuntimeArray %3\n%6 = OpTypeStruct %5\n%7 = OpTypePointer StorageBuffer %6\n"
    "%10 = OpTypeFunction %2\n%11 = OpVariable %7 StorageBuffer\n"
    "%12 = OpVariable %7 StorageBuffer\n%14 = OpTypePointer StorageBuffer %3\n"
    "%50 = OpSpecConstant %3 8\n%51 = OpConstant %3 1\n%52 = OpSpecConstantFalse %15\n"
    "%53 = OpSpecConstant %4 2\n%13 = OpConstant %3 0\n"
    "%20 = OpFunction %2 None %10\n%21 = OpLabel\n%22 = OpAccessChain %14 %11 %13 %13\n"
    "OpReturn\nOpFunctionEnd\n"
    "%30 = OpFunction %2 None %10\n%31 = OpLabel\n%32 = OpAccessChain %14 %11 %13 %13\n"
    "%33 = OpLoad %3 %32\n%34 = OpBitcast %4 %33\n%35 = OpFAdd %4 %34 %53\n"
    "OpReturn\nOpFunctionEnd\n";

/* Each by its name; the other one is no part of its module. Integers that are read as floats are drawn as such: below the number of
 * invocations as an integer would be no normal float. */
static void one_of_several_is_taken(void **state)
{
    struct rig *const r = *state;
    struct testcase tc;
    uint32_t n = 0, offset = SPV_HEADER_WORDS, n_functions = 0, n_large = 0, n_wide = 0;
    struct spv_inst in;
    r->wishes.entry = "two";
    if (open_text(r, two_text) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    const char *const *const names =
        kernel_shape_list(r->k.built.words, r->k.built.n_words, &r->a, &n);
    assert_int_equal(n, 2);
    assert_string_equal(names[1], "two");
    while (spv_next(r->k.words, r->k.n_words, &offset, &in)) {
        n_functions += in.op == SpvOpFunction;
        assert_false(in.op == SpvOpEntryPoint && in.w[2] == 20);
    }
    assert_int_equal(n_functions, 1);
    assert_true(r->k.shape.bufs[0].is_float_bits);
    assert_false(r->k.shape.bufs[1].is_float_bits);
    (void)!kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e);
    for (uint32_t i = 0; i < tc.bufs[0].n_bytes; i += 4) {
        n_large += load_le(tc.bufs[0].data + i, 4) > 0x800000;
        assert_true(i % 8 != 0 || load_le(tc.bufs[1].data + i, 4) < tc.global[0]);
        n_wide += load_le(tc.bufs[1].data + i, 4) >= tc.global[0];
    }
    assert_true(n_wide > 0);
    assert_true(n_large * 2 > tc.bufs[0].n_bytes / 4);
    r->wishes.entry = "three";
    assert_int_equal(open_text(r, two_text), RES_USAGE);
}

/* A value of the constant's type is in the case, and a work-group's size follows from it. Others are refused. */
static void constants_are_specialized(void **state)
{
    static const struct {
        uint32_t id;
        const char *value;
        bool is_right;
        uint64_t bits;
    } rows[] = {
        {4, "16",          true,  16        },
        {4, "0x10",        true,  16        },
        {4, "-1",          true,  0xffffffff},
        {4, "4294967296",  false, 0         },
        {4, "-2147483649", false, 0         },
        {4, "16x",         false, 0         },
        {4, "",            false, 0         },
        {5, "true",        true,  1         },
        {5, "0",           true,  0         },
        {5, "2",           false, 0         },
        {6, "1.5",         true,  0x3fc00000},
        {7, "1",           false, 0         },
    };
    struct rig *const r = *state;
    struct testcase tc;
    r->wishes.entry = "two";
    r->wishes.n_specs = 1;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        r->wishes.specs[0] = (struct kernel_spec_wish){rows[i].id, rows[i].value};
        enum res const res = open_text(r, two_text);
        assert_int_equal(res, rows[i].is_right ? RES_OK : RES_USAGE);
        if (res == RES_OK) {
            assert_int_equal(r->k.specs[0].bits, rows[i].bits);
        }
    }
    r->wishes.specs[0] = (struct kernel_spec_wish){4, "16"};
    assert_int_equal(open_text(r, two_text), RES_OK);
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(tc.local[0], 16);
    assert_int_equal(tc.n_specs, 1);
    assert_int_equal(tc.specs[0].bits, 16);
}

/* A sentence with the file, and what would be right. */
static void bad_files_are_told(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"",                                             "the file is empty"      },
        {"hello",                                        "neither SPIR-V"         },
        {"\x03\x02\x23\x07xx",                           "whole words"            },
        {"OpCapability Shader\nOpNonsense\n",            "kernel:2:"              },
        {"#version 450\nvoid main() { x = 1; }",         ":2:"                    },
        {"__kernel void f() { x = 1; }",                 ":1:"                    },
        {"__kernel void f() {}\n__kernel void g() {}\n", "--entry takes one: f, g"},
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        enum res const res = open_text(r, rows[i].text);
        if (res == RES_USAGE && strstr(r->e.text, "apt-get")) { /* no compiler here */
            continue;
        }
        assert_int_not_equal(res, RES_OK);
        if (!strstr(r->e.text, rows[i].message) || !strstr(r->e.text, r->path)) {
            fail_msg("%s", r->e.text);
        }
    }
}

int main(void)
{
#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_is_told_by_its_content),
        WITH_RIG(what_says_nothing_is_removed),
        WITH_RIG(bindings_are_numbered),
        WITH_RIG(buffers_hold_what_is_wished),
        WITH_RIG(inputs_are_searched_until_something_is_judged),
        cmocka_unit_test(numbers_are_rounded_to_nearest_even),
        WITH_RIG(a_file_is_a_buffer),
        WITH_RIG(one_kernel_is_kept_with_what_it_uses),
        WITH_RIG(arguments_become_what_a_case_gives),
        WITH_RIG(local_memory_has_the_wished_size),
        WITH_RIG(one_of_several_is_taken),
        WITH_RIG(constants_are_specialized),
        WITH_RIG(bad_files_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
