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
#include "fuzz/kernel/kernel_case.h"
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
    /* all of its work-items store to one number: nobody can vouch for that, and it is made all the same */
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_int_equal(tc.local[0] * 4, tc.global[0]);
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

/* A number in each width: the nearest one there is, by hand. */
static void numbers_are_rounded_to_their_width(void **state)
{
    static const struct {
        const char *number;
        unsigned n_bits;
        bool is_bfloat;
        uint64_t want;
    } rows[] = {
        {"1.5",           16, false, 0x3e00            },
        {"-2",            16, false, 0xc000            },
        {"65504",         16, false, 0x7bff            }, /* the largest */
        {"65519",         16, false, 0x7bff            },
        {"65520",         16, false, 0x7c00            }, /* half-way to what is no more, and even */
        {"1e300",         16, false, 0x7c00            },
        {"6e-8",          16, false, 0x0001            }, /* the smallest is 5.96e-8 */
        {"1e-9",          16, false, 0x0000            },
        {"1.0004883",     16, false, 0x3c01            }, /* just above 1 + 2^-11, half-way */
        {"1.00048828125", 16, false, 0x3c00            }, /* half-way: to even */
        {"3.140625",      16, true,  0x4049            },
        {"0.1",           32, false, 0x3dcccccd        },
        {"0.1",           64, false, 0x3fb999999999999a},
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static uint32_t words[] = {SpvMagicNumber,           0x10300, 0, 4, 0,
                                   3 << 16 | SpvOpTypeFloat, 1,       16};
        unsigned char bytes[8] = {0};
        struct kernel_types types;
        struct kernel_wish wish;
        struct kernel_buffer const b = {.kind = BUF_STORAGE, .type = 1};
        uint32_t with[] = {SpvMagicNumber, 0x10300, 0, 4, 0, 4 << 16 | SpvOpTypeFloat, 1, 16, 0};
        words[7] = rows[i].n_bits;
        assert_int_equal(kernel_types_make(&types, rows[i].is_bfloat ? with : words,
                                           rows[i].is_bfloat ? ARRAY_N(with) : ARRAY_N(words),
                                           &r->a, &r->e),
                         RES_OK);
        assert_int_equal(kernel_wish_read(rows[i].number, &r->a, &wish, &r->e), RES_OK);
        kernel_fill(&types, &b, &wish, 1, 1, bytes, rows[i].n_bits / 8);
        if (load_le(bytes, rows[i].n_bits / 8) != rows[i].want) {
            fail_msg("%s: 0x%llx", rows[i].number,
                     (unsigned long long)load_le(bytes, rows[i].n_bits / 8));
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

/* Local memory that the host would give is a variable of 1024 numbers, and no argument; an access within it is vouched for. */
static void local_memory_is_a_variable(void **state)
{
    struct rig *const r = *state;
    struct testcase tc;
    r->wishes.entry = "f";
    r->wishes.size[0] = r->wishes.local[0] = 1;
    if (open_text(r, two_kernels_text) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
    assert_int_equal(r->k.shape.n_bufs, 1);
    assert_int_equal(r->k.shape.bufs[0].id, 21);
    assert_string_equal(r->k.built.source, "");
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_string_equal(r->k.unvouched, "");
    r->wishes.entry = "g"; /* a result of printf is not known to the interpreter */
    assert_int_equal(open_text(r, two_kernels_text), RES_OK);
    assert_int_equal(kernel_make_case(&r->k, &r->wishes, 1, &r->a, &tc, &r->e), RES_OK);
    assert_non_null(strstr(r->k.unvouched, "extended instruction 184"));
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
        WITH_RIG(numbers_are_rounded_to_their_width),
        WITH_RIG(a_file_is_a_buffer),
        WITH_RIG(one_kernel_is_kept_with_what_it_uses),
        WITH_RIG(local_memory_is_a_variable),
        WITH_RIG(bad_files_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
