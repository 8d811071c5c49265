/* tests/program/test_bug_folder.c -- the folders of bugs that a report leaves, of a driver with a planted fault: their program
 * is short, finds the driver by itself, fails with the fault and passes without it, and no text has offsets. */
#include <limits.h>

#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_find.h"
#include "tests/rig/bug_rig.h"

enum {
    MAX_LINES = 350 /* of host.c and the header beside it */
};

/* $H is the program, the current folder an empty one. */
static int run(const struct rig *r, const char *command)
{
    return rig_do("cd '%s' && { %s; } >>log 2>&1", r->folder, command);
}

static void expect(const struct rig *r, int status, const char *command)
{
    int const got = run(r, command);
    if (got != status) {
        rig_print_log(r);
        fail_msg("exit status %d, not %d: %s", got, status, command);
    }
}

static bool has_target(const char *name, struct arena *a)
{
    struct target_list *const l = ARENA_NEW(a, struct target_list, 1);
    struct err e = {RES_OK, ""};
    assert_non_null(l);
    assert_int_equal(targets_find(l, NULL, a, &e), RES_OK);
    return targets_find_name(l, name) != NULL;
}

/* What holds of each folder. */
static void check_folders(struct rig *r)
{
    expect(r, 0, "ls camp/bugs/*/report.md");
    expect(r, 0,
           "for d in camp/bugs/*; do grep -q -e '^## Kernel$' -e '^## Shader$' \"$d/report.md\" || "
           "exit 1; done");
    expect(r, 1, "grep -q '; 0x' camp/bugs/*/report.md camp/bugs/*/*.spvasm");
    expect(r, 0,
           arena_printf(&r->a,
                        "for d in camp/bugs/*; do grep -q vkCreateImage \"$d/host.c\" || "
                        "[ $(cat \"$d/host.c\" \"$d/expected.h\" | wc -l) -le %d ] || exit 1; done",
                        MAX_LINES));
}

/* Each kernel adds two numbers, and nothing else of it can go wrong. */
static const char cl_sum[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\" %gid\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %gid Constant\n"
    "%void = OpTypeVoid\n%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n"
    "%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
    "%pf = OpTypePointer CrossWorkgroup %f32\n%fn = OpTypeFunction %void %pf %pf\n"
    "%gid = OpVariable %pv3 Input\n%main = OpFunction %void None %fn\n"
    "%x = OpFunctionParameter %pf\n%y = OpFunctionParameter %pf\n%entry = OpLabel\n"
    "%g = OpLoad %v3 %gid\n%at = OpCompositeExtract %u64 %g 0\n"
    "%from = OpInBoundsPtrAccessChain %pf %x %at\n%to = OpInBoundsPtrAccessChain %pf %y %at\n"
    "%a = OpLoad %f32 %from Aligned 4\n%b = OpLoad %f32 %to Aligned 4\n"
    "%sum = OpFAdd %f32 %a %b\nOpStore %to %sum Aligned 4\nOpReturn\nOpFunctionEnd\n";
static const char vk_sum[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"k\" %gid\nOpExecutionMode %main LocalSize 64 1 1\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %arr ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 0\n"
    "OpDecorate %y DescriptorSet 0\nOpDecorate %y Binding 1\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"
    "%v3 = OpTypeVector %u32 3\n%pv3 = OpTypePointer Input %v3\n%arr = OpTypeRuntimeArray %f32\n"
    "%block = OpTypeStruct %arr\n%pb = OpTypePointer StorageBuffer %block\n"
    "%pf = OpTypePointer StorageBuffer %f32\n%fn = OpTypeFunction %void\n"
    "%zero = OpConstant %u32 0\n%gid = OpVariable %pv3 Input\n"
    "%x = OpVariable %pb StorageBuffer\n%y = OpVariable %pb StorageBuffer\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
    "%g = OpLoad %v3 %gid\n%at = OpCompositeExtract %u32 %g 0\n"
    "%from = OpAccessChain %pf %x %zero %at\n%to = OpAccessChain %pf %y %zero %at\n"
    "%a = OpLoad %f32 %from\n%b = OpLoad %f32 %to\n%sum = OpFAdd %f32 %a %b\n"
    "OpStore %to %sum\nOpReturn\nOpFunctionEnd\n";

static void put_kernel(struct rig *r, const char *text)
{
    struct err e = {RES_OK, ""};
    const uint32_t *words = NULL;
    uint32_t n_words = 0;
    assert_int_equal(spirv_assemble("sum", text, strlen(text), &r->a, &words, &n_words, &e),
                     RES_OK);
    uint32_t *const module = arena_copy(&r->a, words, n_words * sizeof *words);
    assert_non_null(module);
    module[1] = 0x10300;
    expect(r, 0, "mkdir kernels");
    assert_int_equal(file_write(arena_printf(&r->a, "%s/kernels/sum.spv", r->folder), module,
                                n_words * sizeof *module, &e),
                     RES_OK);
}

static void a_planted_fault(const char *target, const char *kernel)
{
    struct rig r;
    memset(&r, 0, sizeof r);
    arena_init(&r.a, (size_t)64 << 20);
    rig_make_folder(&r);
    if (!has_target(target, &r.a)) {
        print_message("skipped: %s is not here\n", target);
        rig_free(&r);
        skip();
    }
    put_kernel(&r, kernel);
    expect(&r, 1,
           arena_printf(&r.a,
                        "\"$H\" run --quiet --corpus-modules kernels --cases 4 --seed 11 --targets "
                        "%s:SUB_FOR_ADD -o camp; \"$H\" report --quiet --triage-time 1s "
                        "--reduce-time 1s camp",
                        target));
    check_folders(&r);
    expect(&r, 0, "set -- camp/bugs/*; [ -d \"$1\" ] && cp -r \"$1\" one");
    expect(&r, 0, "grep -q '%sum = OpFAdd' one/report.md && grep -q FAdd one/module.spvasm");
    expect(&r, 0, "make -C one host CFLAGS='-std=c99 -pedantic -Wall -Wextra -Werror'");
    expect(&r, 2, "make -C one run HALFULP=\"$H\"");
    expect(&r, 0, "make -C one run HALFULP=\"$H\" PROGRAM=module.spv");
    expect(&r, 0, "make -C one run HALFULP=/nowhere 2>&1 | grep -q 'make run DRIVER=FILE'");
    rig_free(&r);
}

static void of_vulkan(void **state)
{
    (void)state;
    a_planted_fault("lavapipe", vk_sum);
}

static void of_opencl(void **state)
{
    (void)state;
    a_planted_fault("intel-cpu", cl_sum);
}

/* `make run` starts the program in there. */
static void of_a_root_file_system(void **state)
{
    (void)state;
    a_planted_fault("pocl-7", cl_sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_vulkan),
        cmocka_unit_test(of_opencl),
        cmocka_unit_test(of_a_root_file_system),
    };
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 32) > 0) { /* build/opt/tests/this */
        *strrchr(self, '/') = 0;
        *strrchr(self, '/') = 0;
        (void)strcat(self, "/halfulp");
        (void)setenv("H", self, 1);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
