/* tests/oracle/test_kernel_forms.c -- forms that compilers of kernels give, each in one invocation: what it must leave, worked
 * by hand from the text of the specifications, is right, what differs in one bit is not; and the vouch
 * on the same. */
#include "tests/rig/judge_rig.h"

#include <stdio.h>

#include "oracle/vouch/vouch.h"

static const char cl_begin[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8\n"
    "OpCapability Int16\nOpCapability Float16Buffer\n%std = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\" %dim\n"
    "OpExecutionMode %main ContractionOff\nOpDecorate %dim BuiltIn WorkDim\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u8 = OpTypeInt 8 0\n%u16 = OpTypeInt 16 0\n"
    "%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n"
    "%w3 = OpTypeVector %u32 3\n%w4 = OpTypeVector %u32 4\n"
    "%pf = OpTypePointer CrossWorkgroup %f32\n%pu = OpTypePointer CrossWorkgroup %u32\n"
    "%ph = OpTypePointer CrossWorkgroup %f16\n%pb = OpTypePointer CrossWorkgroup %u8\n"
    "%pin32 = OpTypePointer Input %u32\n%own = OpTypePointer Function %u32\n"
    "%fn = OpTypeFunction %void %pf %pu %pu\n"
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c2 = OpConstant %u32 2\n"
    "%c3 = OpConstant %u32 3\n%c5 = OpConstant %u32 5\n%c8 = OpConstant %u32 8\n"
    "%z = OpConstant %u64 0\n%l1 = OpConstant %u64 1\n%l2 = OpConstant %u64 2\n"
    "%l3 = OpConstant %u64 3\n%l8 = OpConstant %u64 8\n"
    "%a2 = OpTypeArray %u32 %c2\n%a4 = OpTypeArray %u32 %c5\n%b8 = OpTypeArray %u8 %c8\n"
    "%null8 = OpConstantNull %b8\n%five = OpConstantComposite %a4 %c5 %c3 %c2 %c1 %c8\n"
    "%pa2 = OpTypePointer Function %a2\n%pv = OpTypePointer Function %pu\n"
    "%pt = OpTypePointer UniformConstant %a4\n%pz = OpTypePointer UniformConstant %b8\n"
    "%pc = OpTypePointer UniformConstant %u32\n%pc8 = OpTypePointer UniformConstant %u8\n"
    "%p8 = OpTypePointer Function %u8\n"
    "%table = OpVariable %pt UniformConstant %five\n%zeros = OpVariable %pz UniformConstant "
    "%null8\n"
    "%dim = OpVariable %pin32 Input\n"
    "%main = OpFunction %void None %fn\n%cells = OpFunctionParameter %pf\n"
    "%in = OpFunctionParameter %pu\n%out = OpFunctionParameter %pu\n%entry = OpLabel\n";
static const char cl_variables[] =
    "%var = OpVariable %pv Function\n%arr = OpVariable %pa2 Function\n";
static const char cl_end[] = "OpReturn\nOpFunctionEnd\n";
static const char load_first[] = "%x = OpLoad %u32 %in\n%f = OpBitcast %f32 %x\n";

#define UNTOUCHED 0xa5a5a5a5U
#define WRONG_BIT (1U << 20) /* of a float more than any bound */
struct form {
    const char *body;
    uint32_t in[4], out[4];
    uint32_t flip; /* number of out that a wrong device changes */
};

static const struct form cl_forms[] = {
  /* three numbers behind one another, and none of a fourth */
    {"%v = OpExtInst %w3 %std vloadn %z %in 3\n%s = OpExtInst %void %std vstoren %v %z %out\n",
     {1, 2, 3, 4},
     {1, 2, 3, UNTOUCHED},
     2},
    {"%v = OpExtInst %w3 %std vloadn %z %in 3\n%s = OpExtInst %void %std vstoren %v %z %out\n",
     {1, 2, 3, 4},
     {1, 2, 3, UNTOUCHED},
     3},
 /* the second half of the word is 1 */
    {"%h = OpBitcast %ph %in\n%v = OpExtInst %f32 %std vload_half %l1 %h\n"
     "%b = OpBitcast %u32 %v\nOpStore %out %b\n",                                              {0x3c004000, 0, 0, 0},
     {ONE, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
 /* 1 + 3/4 of a half's ulp: toward zero, and to nearest */
    {"%h = OpBitcast %ph %out\n%s = OpExtInst %void %std vstore_half_r %f %z %h RTZ\n"
     "%t = OpExtInst %void %std vstore_half %f %l1 %h\n",                                      {0x3f801800, 0, 0, 0},
     {0x3c013c00, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
    {"%v = OpLoad %u32 %out2\n%r = OpExtInst %u32 %std bitselect %x %v %c5\nOpStore %out %r\n",
     {0xfffffff0, 0x5, 0, 0},
     {0xfffffff5, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
    {"%v = OpLoad %u32 %out2\n%r = OpExtInst %u32 %std select %x %v %c1\nOpStore %out %r\n",
     {7, 9, 0, 0},
     {9, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
 /* of 3, 2, 5, 9 the low two bits: the last component, the third, the second, the second */
    {"%p4 = OpExtInst %w4 %std vloadn %z %in 4\n%m = OpCompositeConstruct %w4 %c3 %c2 %c5 %nine\n"
     "%r = OpExtInst %w4 %std shuffle %p4 %m\n%s = OpExtInst %void %std vstoren %r %z %out\n", {10, 11, 12, 13},
     {13, 12, 11, 11},
     1},
    {"%n = OpIsNan %bool %f\n%r = OpSelect %u32 %n %c5 %c3\nOpStore %out %r\n"
     "%i = OpIsInf %bool %f\n%q = OpSelect %u32 %i %c5 %c3\nOpStore %out2w %q\n",              {QNAN, 0, 0, 0},
     {5, 3, UNTOUCHED, UNTOUCHED},
     1},
    {"%n = OpSignBitSet %bool %f\n%r = OpSelect %u32 %n %c5 %c3\nOpStore %out %r\n"
     "%i = OpIsNormal %bool %f\n%q = OpSelect %u32 %i %c5 %c3\nOpStore %out2w %q\n",           {0xbf800000, 0, 0, 0},
     {5, 5, UNTOUCHED, UNTOUCHED},
     0},
 /* an element of a table of the module */
    {"%e = OpInBoundsAccessChain %pc %table %x\n%r = OpLoad %u32 %e\nOpStore %out %r\n",
     {4, 0, 0, 0},
     {8, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
 /* a pointer that a variable keeps */
    {"OpStore %var %in\n%p = OpLoad %pu %var\n%e = OpInBoundsPtrAccessChain %pu %p %l2\n"
     "%r = OpLoad %u32 %e\nOpStore %out %r\n",                                                 {0, 0, 77, 0},
     {77, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
 /* bytes of a word: the second is 0x56 */
    {"%b = OpBitcast %pb %in\n%e = OpInBoundsPtrAccessChain %pb %b %l1\n%w = OpLoad %u8 %e\n"
     "%r = OpUConvert %u32 %w\nOpStore %out %r\n",                                             {0x12345678, 0, 0, 0},
     {0x56, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
 /* an array that a copy of bytes fills with zeros */
    {"%b = OpBitcast %p8 %arr\n%zb = OpInBoundsAccessChain %pc8 %zeros %c0\n"
     "OpCopyMemorySized %b %zb %l8\n%e = OpInBoundsAccessChain %own %arr %c1\n"
     "%r = OpLoad %u32 %e\nOpStore %out %r\n",                                                 {9, 9, 9, 9},
     {0, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
 /* the first eight bytes of a buffer, copied to an array of two numbers */
    {"%b = OpBitcast %p8 %arr\n%s = OpBitcast %pb %in\nOpCopyMemorySized %b %s %l8\n"
     "%e = OpInBoundsAccessChain %own %arr %c1\n%r = OpLoad %u32 %e\nOpStore %out %r\n",       {9, 10, 11, 12},
     {10, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
 /* two elements are eight bytes apart, and their addresses differ */
    {"%e = OpInBoundsPtrAccessChain %pu %in %l2\n%a = OpConvertPtrToU %u64 %e\n"
     "%b = OpConvertPtrToU %u64 %in\n%d = OpISub %u64 %a %b\n%r = OpUConvert %u32 %d\n"
     "OpStore %out %r\n%q = OpIEqual %bool %a %b\n%t = OpSelect %u32 %q %c5 %c3\n"
     "OpStore %out2w %t\n",                                                                    {0, 0, 0, 0},
     {8, 3, UNTOUCHED, UNTOUCHED},
     1},
    {"%r = OpLoad %u32 %dim\nOpStore %out %r\n",
     {0, 0, 0, 0},
     {3, UNTOUCHED, UNTOUCHED, UNTOUCHED},
     0},
};

static void assemble_form(struct rig *r, const char *body)
{
    char text[8192];
    (void)snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", cl_begin, cl_variables, load_first,
                   "%nine = OpIAdd %u32 %c8 %c1\n",
                   "%out2 = OpInBoundsPtrAccessChain %pu %in %l1\n",
                   "%out2w = OpInBoundsPtrAccessChain %pu %out %l1\n", body, cl_end);
    assemble(r, text, SPV_ENV_UNIVERSAL_1_2);
}

static void judge_form(struct rig *r, const struct form *form, size_t i)
{
    struct err e = {RES_OK, ""};
    memcpy(r->in, form->in, sizeof r->in);
    memset(r->out, 0xa5, sizeof r->out);
    if (vouch_case(&r->tc, &e) != RES_OK) {
        fail_msg("form %zu: %s", i, e.text);
    }
    memcpy(r->out_after, form->out, sizeof r->out_after);
    if (judge_rig(r) != VERDICT_OK) {
        fail_msg("form %zu: %s (%s)", i, verdict_rows[r->j.kind].name,
                 r->j.n_findings ? r->j.findings[0].text : r->j.note);
    }
    r->out_after[form->flip] ^= WRONG_BIT;
    if (judge_rig(r) == VERDICT_OK) {
        fail_msg("form %zu: a wrong number passes", i);
    }
}

static void each_form_of_opencl_gives_its_value(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_N(cl_forms); i++, n++) {
        struct rig *const r = make_rig(ENV_CL, 1);
        assemble_form(r, cl_forms[i].body);
        judge_form(r, &cl_forms[i], i);
        free_rig(r);
    }
    assert_true(n > 10);
}

/* What would be another thing on each device, or leave its object, is refused with its sentence. */
static void what_depends_on_addresses_is_refused(void **state)
{
    static const struct {
        const char *body, *why;
        uint32_t in;
    } rows[] = {
        {"%a = OpConvertPtrToU %u64 %in\n%r = OpUConvert %u32 %a\nOpStore %out %r\n",
         "an address that is used as a number",                                                                                                      0},
        {"%a = OpConvertPtrToU %u64 %in\n%b = OpConvertPtrToU %u64 %out\n%d = OpISub %u64 %a %b\n"
         "%r = OpUConvert %u32 %d\nOpStore %out %r\n",                                      "a comparison of pointers to different memory", 0},
        {"%e = OpInBoundsAccessChain %pc %table %x\n%r = OpLoad %u32 %e\nOpStore %out %r\n",
         "out of bounds",                                                                                                                            5},
        {"%e = OpInBoundsAccessChain %pc %table %x\nOpStore %e %c1\n",
         "an access to constant memory that is no load",                                                                                             0},
        {"%v = OpExtInst %w3 %std vloadn %l1 %in 3\n%s = OpExtInst %void %std vstoren %v %z %out\n",
         "out of bounds",                                                                                                                            0},
        {"%b = OpBitcast %p8 %arr\n%e = OpInBoundsPtrAccessChain %p8 %b %l1\nOpStore %e %byte\n",
         "a pointer that goes on in a variable of the function",                                                                                     0},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *const r = make_rig(ENV_CL, 1);
        struct err e = {RES_OK, ""};
        char body[1024];
        (void)snprintf(body, sizeof body, "%%byte = OpUConvert %%u8 %%x\n%s", rows[i].body);
        assemble_form(r, body);
        r->in[0] = rows[i].in;
        assert_int_not_equal(vouch_case(&r->tc, &e), RES_OK);
        if (!strstr(e.text, rows[i].why)) {
            fail_msg("row %zu: %s", i, e.text);
        }
        free_rig(r);
    }
}

/* in: two rows of two, the second 8 bytes behind the first; private memory that begins with 5. */
static const char vk_begin[] =
    "OpCapability Shader\n%std = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"k\"\nOpExecutionMode %main LocalSize 1 1 1\n"
    "OpMemberDecorate %sm 0 Offset 0\nOpMemberDecorate %sm 0 RowMajor\n"
    "OpMemberDecorate %sm 0 MatrixStride 8\nOpDecorate %sm Block\nOpDecorate %so Block\n"
    "OpMemberDecorate %so 0 Offset 0\nOpDecorate %ao ArrayStride 4\n"
    "OpDecorate %cells DescriptorSet 0\nOpDecorate %cells Binding 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 1\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 2\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n%v2 = OpTypeVector %f32 2\n"
    "%m2 = OpTypeMatrix %v2 2\n%sm = OpTypeStruct %m2\n%ao = OpTypeRuntimeArray %u32\n"
    "%so = OpTypeStruct %ao\n%psm = OpTypePointer StorageBuffer %sm\n"
    "%pso = OpTypePointer StorageBuffer %so\n%pm = OpTypePointer StorageBuffer %m2\n"
    "%pcol = OpTypePointer StorageBuffer %v2\n%pf = OpTypePointer StorageBuffer %f32\n"
    "%pu = OpTypePointer StorageBuffer %u32\n%pp = OpTypePointer Private %u32\n"
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c5 = OpConstant %u32 5\n"
    "%two = OpConstant %f32 2\n%fn = OpTypeFunction %void\n"
    "%mine = OpVariable %pp Private %c5\n%cells = OpVariable %pso StorageBuffer\n"
    "%in = OpVariable %psm StorageBuffer\n%out = OpVariable %pso StorageBuffer\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
    "%o0 = OpAccessChain %pu %out %c0 %c0\n%o1 = OpAccessChain %pu %out %c0 %c1\n"
    "%pin = OpAccessChain %pm %in %c0\n%m = OpLoad %m2 %pin\n";

static const struct form vk_forms[] = {
  /* a column of a matrix by rows is every second number */
    {"%p = OpAccessChain %pcol %in %c0 %c1\n%c = OpLoad %v2 %p\n%a = OpCompositeExtract %f32 %c 0\n"
     "%b = OpCompositeExtract %f32 %c 1\n%x = OpBitcast %u32 %a\n%y = OpBitcast %u32 %b\n"
     "OpStore %o0 %x\nOpStore %o1 %y\n",                                                 {ONE, TWO, THREE, MAX},
     {TWO, MAX, UNTOUCHED, UNTOUCHED},
     1},
 /* and of its transpose the row */
    {"%t = OpTranspose %m2 %m\n%a = OpCompositeExtract %f32 %t 1 0\n"
     "%b = OpCompositeExtract %f32 %t 1 1\n%x = OpBitcast %u32 %a\n%y = OpBitcast %u32 %b\n"
     "OpStore %o0 %x\nOpStore %o1 %y\n",                                                 {ONE, TWO, THREE, MAX},
     {THREE, MAX, UNTOUCHED, UNTOUCHED},
     0},
 /* twice a matrix: each number twice */
    {"%t = OpMatrixTimesScalar %m2 %m %two\n%a = OpCompositeExtract %f32 %t 0 0\n"
     "%b = OpCompositeExtract %f32 %t 0 1\n%x = OpBitcast %u32 %a\n%y = OpBitcast %u32 %b\n"
     "OpStore %o0 %x\nOpStore %o1 %y\n",                                                 {ONE, TWO, THREE, ONE},
     {TWO, 0x40c00000, UNTOUCHED, UNTOUCHED},
     1},
 /* rows (1 2) and (3 1) times (1 3): 7 and 6 */
    {"%c = OpCompositeExtract %v2 %m 0\n%t = OpMatrixTimesVector %v2 %m %c\n"
     "%a = OpCompositeExtract %f32 %t 0\n%b = OpCompositeExtract %f32 %t 1\n"
     "%x = OpBitcast %u32 %a\n%y = OpBitcast %u32 %b\nOpStore %o0 %x\nOpStore %o1 %y\n", {ONE, TWO, THREE, ONE},
     {0x40e00000, 0x40c00000, UNTOUCHED, UNTOUCHED},
     0},
    {"%x = OpLoad %u32 %mine\nOpStore %mine %c1\n%y = OpLoad %u32 %mine\nOpStore %o0 %x\n"
     "OpStore %o1 %y\n",                                                                 {0, 0, 0, 0},
     {5, 1, UNTOUCHED, UNTOUCHED},
     0},
 /* 1 and -2 as halves */
    {"%c = OpCompositeExtract %v2 %m 0\n%x = OpExtInst %u32 %std PackHalf2x16 %c\nOpStore %o0 %x\n"
     "%h = OpExtInst %v2 %std UnpackHalf2x16 %x\n%b = OpCompositeExtract %f32 %h 1\n"
     "%y = OpBitcast %u32 %b\nOpStore %o1 %y\n",                                         {ONE, 0, 0xc0000000, 0},
     {0xc0003c00, 0xc0000000, UNTOUCHED, UNTOUCHED},
     1},
};

static void each_form_of_vulkan_gives_its_value(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_N(vk_forms); i++, n++) {
        struct rig *const r = make_rig(ENV_VK, 1);
        char text[8192];
        (void)snprintf(text, sizeof text, "%s%s%s", vk_begin, vk_forms[i].body, cl_end);
        assemble(r, text, SPV_ENV_UNIVERSAL_1_3);
        judge_form(r, &vk_forms[i], i);
        free_rig(r);
    }
    assert_true(n > 4);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_of_opencl_gives_its_value),
        cmocka_unit_test(what_depends_on_addresses_is_refused),
        cmocka_unit_test(each_form_of_vulkan_gives_its_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
