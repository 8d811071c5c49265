/* tests/program/test_reproducer.c -- the folder of a bug on real drivers: its program exits 1 on the driver
 * that has it, 0 where it is not, 2 where it cannot be run. The bugs are the real ones of
 * corpora/regress, and those of the misbehaving drivers. HALFULP_KEEP=1 keeps the folders. */
#include <dirent.h>
#include <limits.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/trial/trial.h"
#include "fuzz/trial/trial_count.h"
#include "reports/bug/bug_facts.h"
#include "reports/folder/test_amber.h"
#include "tests/rig/bug_rig.h"

static const char regress[] = "corpora/regress";

/* ---- drivers ---- */

/* Which target a bundle was seen on, by what its device said; "" for one of another machine. */
static const char *name_target(const struct bundle *b)
{
    static const struct {
        const char *platform, *driver, *name;
    } rows[] = {
        {"Intel(R) OpenCL",    "20",        "intel-cpu"  },
        {"llvmpipe",           "Mesa 22.3", "lavapipe"   },
        {"llvmpipe",           "Mesa 25",   "lavapipe-25"},
        {"llvmpipe",           "Mesa 26",   "lavapipe-26"},
        {"rusticl",            "25",        "rusticl-25" },
        {"rusticl",            "26",        "rusticl-26" },
        {"Portable Computing", "6",         "pocl-6"     },
        {"Portable Computing", "7",         "pocl-7"     },
        {"SwiftShader",        "",          "swiftshader"},
    };
    char platform[128], driver[128];
    (void)facts_get(b->ob.facts, "platform", platform, sizeof platform);
    (void)facts_get(b->ob.facts, "driver", driver, sizeof driver);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strstr(platform, rows[i].platform) &&
            strncmp(driver, rows[i].driver, strlen(rows[i].driver)) == 0) {
            return rows[i].name;
        }
    }
    return "";
}

/* The variables that point the API's loader to the target. */
static const char *make_env(const struct target *t, struct arena *a)
{
    const char *all = "MESA_SHADER_CACHE_DISABLE=true";
    for (int i = 0; t->env_vars[i]; i++) {
        all = arena_printf(a, "%s '%s'", all, t->env_vars[i]);
    }
    return all;
}

/* ---- the real findings ---- */

static int take_finding(struct rig *r, const char *name)
{
    struct err e = {0};
    const struct finding *worst = NULL;
    assert_int_equal(judge_run(&r->bundle.tc, &r->bundle.ob, &r->a, &r->j, &e), RES_OK);
    for (uint32_t i = 0; i < r->j.n_findings && !worst; i++) {
        worst = r->j.findings[i].kind == r->j.kind ? &r->j.findings[i] : NULL;
    }
    if (!worst) {
        print_message("%s: nothing was found there\n", name);
        return 0;
    }
    rig_fill(r, worst->kind);
    r->finding.clause = clause_rows[worst->clause].id;
    r->finding.op = worst->op >= 0 ? op_rows[worst->op].name : "";
    r->finding.type = val_type_names[worst->type];
    r->finding.storage = storage_names[worst->storage];
    r->finding.permitted = worst->permitted;
    r->finding.text = worst->text;
    r->bug.clause_section = clause_rows[worst->clause].code;
    r->bug.clause_rule = clause_rows[worst->clause].text;
    if (worst->expect) {
        r->expect[0] = *worst->expect;
        r->bug.n_expect = 1;
    }
    return 1;
}

/* The program on a target; of one in a root file system, in there. */
static int run_on(struct rig *r, const struct target *t)
{
    const char *launcher = "";
    for (int i = 0; t->launcher[i]; i++) {
        const char *const word = strcmp(t->launcher[i], "{own}") == 0 ? r->folder : t->launcher[i];
        launcher = arena_printf(&r->a, "%s '%s'", launcher, word);
    }
    const char *const own = t->inner_tmp ? t->inner_tmp : r->folder;
    return rig_do("cd '%s' && %s env TMPDIR='%s' HOME='%s' %s ./host >log 2>&1", r->folder,
                  launcher, own, own, make_env(t, &r->a));
}

/* Does the worker see it on this machine? Drivers for CPUs differ with the CPU. */
static int is_still_there(const struct rig *r, const struct target *t)
{
    struct err e = {0};
    struct trial_count count;
    struct trial_wanted const any = {.n_runs = 1, .n_needed = 1};
    if (trials_count(t, &any, &r->bundle.tc, 3, 0, &count, &e) != RES_OK) {
        fail_msg("%s: %s", t->name, e.text);
    }
    return count.worst == r->j.kind;
}

/* 1 when it was run and shows the bug, 0 when that cannot be asked here. */
static int check_on(struct rig *r, const char *name, const struct target_list *targets)
{
    const char *const by = r->bug.n_expect ? "its word" : "all outputs";
    const char *const wanted = name_target(&r->bundle);
    const struct target *const t = targets_find_name(targets, wanted);
    int const is_run = getenv("HALFULP_SLOW") || strncmp(name, "20261120", 8) == 0;
    if (!t || !is_run) { /* the first findings are run always, all of them in the long run */
        print_message("%s: compiles; %s is not %s\n", name, wanted, t ? "asked now" : "here");
        return 0;
    }
    int const status = run_on(r, t);
    if (status == 1) {
        print_message("%s: on %s: %s by %s\n", name, t->name, r->finding.verdict, by);
        return 1;
    }
    if (status == 0 && r->bug.n_expect == 0) { /* work-groups that race may give other outputs */
        print_message("%s: other outputs on %s this time\n", name, t->name);
        return 0;
    }
    if (status != 0 || is_still_there(r, t)) {
        rig_print_log(r);
        fail_msg("%s: exit status %d on %s, by %s", name, status, t->name, by);
    }
    print_message("%s: this machine's %s does not have it, which the worker says too\n", name,
                  t->name);
    return 0;
}

/* case.amber is a script, and its shader is the module. */
static void check_amber(struct rig *r)
{
    const unsigned char *text = NULL;
    size_t n = 0;
    uint32_t n_words = 0;
    const uint32_t *words = NULL;
    struct amber_script script;
    struct err e = {0};
    const char *const path = arena_printf(&r->a, "%s/case.amber", r->folder);
    assert_int_equal(file_read(path, 1 << 24, &r->a, &text, &n, &e), RES_OK);
    if (!amber_read((const char *)text, &script)) {
        fail_msg("%s: %s", path, script.error);
    }
    if (spirv_assemble("case.amber", script.shader, script.n_shader, &r->a, &words, &n_words, &e) !=
        RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_int_equal(n_words, r->bundle.tc.n_words);
    assert_memory_equal(words + 5, r->bundle.tc.module + 5, (n_words - 5) * sizeof *words);
    assert_int_equal(script.n_buffers, r->bundle.tc.n_bufs);
    assert_string_equal(script.entry, r->bundle.tc.entry);
}

static int check_bundle(const char *name, const struct target_list *targets)
{
    struct rig r;
    char path[RIG_PATH];
    int is_shown = 0;
    (void)snprintf(path, sizeof path, "%s/%s", regress, name);
    rig_read(&r, path);
    if (take_finding(&r, name)) {
        rig_write(&r);
        if (r.bundle.tc.env == ENV_VK) {
            check_amber(&r);
        }
        is_shown = check_on(&r, name, targets);
    }
    rig_free(&r);
    return is_shown;
}

static void real_findings(void **state)
{
    (void)state;
    struct arena a;
    struct target_list targets;
    struct err e = {0};
    size_t n = 0;
    arena_init(&a, (size_t)16 << 20);
    assert_int_equal(targets_find(&targets, NULL, &a, &e), RES_OK);
    DIR *const d = opendir(regress);
    assert_non_null(d);
    for (struct dirent *entry = readdir(d); entry; entry = readdir(d)) {
        if (entry->d_name[0] != '.') {
            n += (size_t)check_bundle(entry->d_name, &targets);
        }
    }
    (void)closedir(d);
    int const has_any =
        targets_find_name(&targets, "intel-cpu") || targets_find_name(&targets, "lavapipe");
    arena_free(&a);
    assert_true(n >= 3 || !has_any);
    if (!has_any) {
        print_message("no driver is here: the programs were compiled alone\n");
    }
}

/* ---- misbehaving drivers ---- */

struct bad_case {
    const char *mode;
    enum verdict_kind kind;
    int n_bad,
        n_good; /* exit status on the misbehaving driver, and when it behaves; -1: not asked */
};
static const struct bad_case bad_cases[] = {
    {"segfault-build",    VERDICT_CRASH,       1, 0 },
    {"segfault-run",      VERDICT_CRASH,       1, -1},
    {"abort",             VERDICT_CRASH,       1, -1},
    {"answer-then-crash", VERDICT_CRASH,       1, -1},
    {"crash-at-exit",     VERDICT_CRASH,       1, -1},
    {"exit0",             VERDICT_EXIT,        1, 0 },
    {"hang-run",          VERDICT_HANG,        1, 0 },
    {"error-build",       VERDICT_REJECT,      1, 0 },
    {"error-run",         VERDICT_REJECT,      1, -1},
    {"lost",              VERDICT_DEVICE_LOST, 1, 0 },
    {"oob",               VERDICT_CORRUPT,     1, 0 },
    {"lie",               VERDICT_ULP,         1, 0 },
    {"segfault-build",    VERDICT_ULP,         2, -1}, /* another bug: nothing is said of this one */
    {"error-build",       VERDICT_CRASH,       2, -1},
    {"crash-at-exit",     VERDICT_ULP,         0, -1}, /* its word is right before that */
};

static int is_known(const char *path)
{
    return access(path, R_OK) == 0;
}

/* Variables that put the misbehaving driver in front of a real one; NULL when there is none. */
static const char *make_bad_env(struct rig *r, enum env env)
{
    char build[RIG_PATH];
    ssize_t const n = readlink("/proc/self/exe", build, sizeof build - 1);
    assert_true(n > 0);
    build[n] = '\0';
    for (int i = 0; i < 2; i++) { /* BUILD/tests/test_reproducer */
        *strrchr(build, '/') = '\0';
    }
    if (env == ENV_CL) {
        const char *const lib = arena_printf(&r->a, "%s/intel-cpu/lib", targets_get_root(&r->a));
        const char *const real = arena_printf(&r->a, "%s/libintelocl.so", lib);
        assert_int_equal(rig_do("echo %s/libbadocl.so >'%s/bad.icd'", build, r->folder), 0);
        return is_known(real) ? arena_printf(&r->a,
                                             "'OCL_ICD_VENDORS=%s' 'LD_LIBRARY_PATH=%s' "
                                             "'HALFULP_BAD_REAL=%s'",
                                             r->folder, lib, real)
                              : NULL;
    }
    struct target_list targets;
    struct err e = {0};
    assert_int_equal(targets_find(&targets, NULL, &r->a, &e), RES_OK);
    const struct target *const t = targets_find_name(&targets, "lavapipe");
    assert_int_equal(
        rig_do("echo '{\"file_format_version\": \"1.1.2\", \"layer\": {\"name\": "
               "\"VK_LAYER_HALFULP_bad\", \"type\": \"GLOBAL\", \"library_path\": "
               "\"%s/libbadvk.so\", \"api_version\": \"1.3.0\", \"implementation_version\": \"1\", "
               "\"description\": \"misbehaves\"}}' >'%s/bad.json'",
               build, r->folder),
        0);
    return t ? arena_printf(&r->a, "%s 'VK_LAYER_PATH=%s' VK_INSTANCE_LAYERS=VK_LAYER_HALFULP_bad",
                            make_env(t, &r->a), r->folder)
             : NULL;
}

/* A word that the run changes may be what it became (a driver that lies leaves it as it was). */
static void expect_what_was_seen(struct rig *r)
{
    uint64_t seen = 0;
    assert_true(rig_find_word(r, &r->expect[0], &seen));
    r->expect[0].n = 1;
    r->expect[0].r[0] = (struct expect_range){(int64_t)seen, (int64_t)seen};
    r->bug.n_expect = 1;
}

static void check_bad(const struct bad_case *x, const char *bundle, enum env env)
{
    struct rig r;
    char path[RIG_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", regress, bundle);
    rig_read(&r, path);
    assert_int_equal(r.bundle.tc.env, env);
    rig_fill(&r, x->kind);
    r.bundle.ob.guard_hits = x->kind == VERDICT_CORRUPT;
    if (x->kind == VERDICT_ULP) {
        expect_what_was_seen(&r);
    }
    rig_write(&r);
    const char *const vars = make_bad_env(&r, env);
    if (!vars) {
        print_message("skipped: no %s driver\n", env_names[env]);
        rig_free(&r);
        skip();
    }
    const char *const deadline = x->kind == VERDICT_HANG ? "DEADLINE=3" : "";
    const char *const bad = arena_printf(&r.a, "%s %s HALFULP_BAD=%s", vars, deadline, x->mode);
    int const n_bad = rig_run(&r, bad, "");
    if (n_bad != x->n_bad) {
        rig_print_log(&r);
        fail_msg("%s, a %s: exit status %d, not %d", x->mode, r.finding.verdict, n_bad, x->n_bad);
    }
    int const n_good =
        x->n_good < 0 ? -1 : rig_run(&r, arena_printf(&r.a, "%s HALFULP_BAD=none", vars), "");
    if (n_good != x->n_good) {
        rig_print_log(&r);
        fail_msg("none after %s: exit status %d, not %d", x->mode, n_good, x->n_good);
    }
    rig_free(&r);
}

static void bad_opencl(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(bad_cases); i++) {
        check_bad(&bad_cases[i], "20261120_load_of_minus_zero", ENV_CL);
    }
}

static void bad_vulkan(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(bad_cases); i++) {
        check_bad(&bad_cases[i], "20261120_ids_along_x", ENV_VK);
    }
}

/* ---- the words, and the command line ---- */

/* Each float format and integer, what is permitted and what not, on a driver that is right. */
static void words_are_compared(void **state)
{
    (void)state;
    struct rig r;
    uint64_t seen = 0;
    rig_read(&r, "corpora/regress/20261120_load_of_minus_zero");
    rig_fill(&r, VERDICT_ULP);
    const char *const vars = make_bad_env(&r, ENV_CL);
    assert_true(rig_find_word(&r, &r.expect[0], &seen));
    r.bug.n_expect = 1;
    const struct {
        int64_t lo, hi;
        int status;
    } rows[] = {
        {(int64_t)seen,     (int64_t)seen,     0},
        {0,                 (int64_t)seen,     0},
        {0,                 (int64_t)seen - 1, 1},
        {(int64_t)seen,     UINT32_MAX,        0},
        {(int64_t)seen + 1, UINT32_MAX,        1},
    };
    for (size_t i = 0; vars && i < ARRAY_N(rows); i++) {
        r.expect[0].n = 1;
        r.expect[0].r[0] = (struct expect_range){rows[i].lo, rows[i].hi};
        rig_write(&r);
        assert_int_equal(rig_run(&r, vars, ""), rows[i].status);
        assert_int_equal(rig_log_has(&r, "WRONG"), rows[i].status);
    }
    rig_free(&r);
    if (!vars) {
        print_message("skipped: no OpenCL driver\n");
        skip();
    }
}

/* ---- images, texels, sub-groups ---- */

/* out = {image(1, 1), texels(2)}, image(0, 0) = texels(2), texels(0) = image(1, 1), by eight
 * invocations that all do the same. */
static const char copies[] = "OpCapability Shader\n"
                             "OpCapability ImageBuffer\n"
                             "OpMemoryModel Logical GLSL450\n"
                             "OpEntryPoint GLCompute %main \"main_kernel\"\n"
                             "OpExecutionMode %main LocalSize 8 1 1\n"
                             "OpDecorate %arr ArrayStride 4\n"
                             "OpDecorate %block Block\n"
                             "OpMemberDecorate %block 0 Offset 0\n"
                             "OpDecorate %out DescriptorSet 0\n"
                             "OpDecorate %out Binding 0\n"
                             "OpDecorate %img DescriptorSet 0\n"
                             "OpDecorate %img Binding 1\n"
                             "OpDecorate %tex DescriptorSet 0\n"
                             "OpDecorate %tex Binding 2\n"
                             "%void = OpTypeVoid\n"
                             "%fn = OpTypeFunction %void\n"
                             "%u32 = OpTypeInt 32 0\n"
                             "%f32 = OpTypeFloat 32\n"
                             "%v4 = OpTypeVector %f32 4\n"
                             "%v2u = OpTypeVector %u32 2\n"
                             "%timg = OpTypeImage %f32 2D 0 0 0 2 R32f\n"
                             "%ttex = OpTypeImage %f32 Buffer 0 0 0 2 R32f\n"
                             "%pimg = OpTypePointer UniformConstant %timg\n"
                             "%ptex = OpTypePointer UniformConstant %ttex\n"
                             "%arr = OpTypeRuntimeArray %f32\n"
                             "%block = OpTypeStruct %arr\n"
                             "%pblock = OpTypePointer StorageBuffer %block\n"
                             "%pf = OpTypePointer StorageBuffer %f32\n"
                             "%zero = OpConstant %u32 0\n"
                             "%one = OpConstant %u32 1\n"
                             "%two = OpConstant %u32 2\n"
                             "%at00 = OpConstantComposite %v2u %zero %zero\n"
                             "%at11 = OpConstantComposite %v2u %one %one\n"
                             "%out = OpVariable %pblock StorageBuffer\n"
                             "%img = OpVariable %pimg UniformConstant\n"
                             "%tex = OpVariable %ptex UniformConstant\n"
                             "%main = OpFunction %void None %fn\n"
                             "%entry = OpLabel\n"
                             "%i = OpLoad %timg %img\n"
                             "%t = OpLoad %ttex %tex\n"
                             "%a = OpImageRead %v4 %i %at11\n"
                             "%b = OpImageRead %v4 %t %two\n"
                             "%ax = OpCompositeExtract %f32 %a 0\n"
                             "%bx = OpCompositeExtract %f32 %b 0\n"
                             "%p0 = OpAccessChain %pf %out %zero %zero\n"
                             "%p1 = OpAccessChain %pf %out %zero %one\n"
                             "OpStore %p0 %ax\n"
                             "OpStore %p1 %bx\n"
                             "OpImageWrite %i %at00 %b\n"
                             "OpImageWrite %t %zero %a\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n";

static void fill_copies(struct rig *r, uint32_t out[2], uint32_t image[6], uint32_t texels[5])
{
    struct err e = {0};
    struct testcase *const tc = &r->bundle.tc;
    *tc = (struct testcase){
        .env = ENV_VK,
        .profile = "atomics",
        .entry = "main_kernel",
        .build_options = "",
        .local = {8, 1, 1},
        .global = {8, 1, 1},
        .subgroup_size = 8,
        .full_subgroups = 1,
        .n_bufs = 3
    };
    const uint32_t *words = NULL;
    if (spirv_assemble("copies", copies, strlen(copies), &r->a, &words, &tc->n_words, &e) !=
        RES_OK) {
        fail_msg("%s", e.text);
    }
    uint32_t *const module = arena_copy(&r->a, words, sizeof *words * tc->n_words);
    assert_non_null(module);
    module[1] = 0x10300;
    tc->module = module;
    static const enum need_id needs[] = {NEED_VK_IMAGE, NEED_VK_TEXEL_BUFFER, NEED_VK_SG_SIZE_8,
                                         NEED_VK_SG_FULL};
    for (size_t i = 0; i < ARRAY_N(needs); i++) {
        needs_add(&tc->needs, needs[i]);
    }
    tc->bufs[0] = (struct buf){.n_bytes = 8, .data = (unsigned char *)out};
    tc->bufs[1] = (struct buf){.kind = BUF_IMAGE2D_R32F,
                               .width = 2,
                               .height = 3,
                               .n_bytes = 24,
                               .data = (unsigned char *)image};
    tc->bufs[2] =
        (struct buf){.kind = BUF_TEXEL_R32F, .n_bytes = 20, .data = (unsigned char *)texels};
    r->bundle.ob = (struct observation){.log = "",
                                        .signature = "",
                                        .facts = "platform=llvmpipe\nvk.api=0x10300\n"
                                                 "vk.f.subgroupSizeControl=1\n"
                                                 "vk.f.computeFullSubgroups=1\n"};
    r->bundle.has_observation = 0;
}

static void expect_float(struct rig *r, uint32_t buf, uint32_t byte, uint32_t bits)
{
    int64_t const key = format_to_key(&float_formats[FMT_F32], bits);
    struct expect *const x = &r->expect[r->bug.n_expect++];
    *x = (struct expect){
        .buf = buf, .byte = byte, .n_bytes = 4, .flags = EXPECT_FLOAT, .fmt = FMT_F32, .n = 1};
    x->r[0] = (struct expect_range){key, key};
}

static void images_and_texels(void **state)
{
    (void)state;
    struct rig r;
    uint32_t out[2] = {0}, image[6], texels[5];
    for (uint32_t i = 0; i < 6; i++) {
        image[i] = 0x40000000 + i;
        texels[i % 5] = 0xbf800000 + i % 5;
    }
    memset(&r, 0, sizeof r);
    arena_init(&r.a, (size_t)64 << 20);
    rig_make_folder(&r);
    fill_copies(&r, out, image, texels);
    rig_fill(&r, VERDICT_ULP);
    const char *const vars = make_bad_env(&r, ENV_VK);
    expect_float(&r, 0, 0, image[3]);
    expect_float(&r, 0, 4, texels[2]);
    expect_float(&r, 1, 0, texels[2]);
    expect_float(&r, 2, 0, image[3]);
    rig_write(&r);
    check_amber(&r);
    int const n_right = vars ? rig_run(&r, vars, "") : 0;
    if (n_right != 0) {
        rig_print_log(&r);
        fail_msg("exit status %d", n_right);
    }
    expect_float(&r, 1, 4, texels[2]); /* which is not written */
    rig_write(&r);
    assert_int_equal(vars ? rig_run(&r, vars, "") : 1, 1);
    rig_free(&r);
    if (!vars) {
        print_message("skipped: no Vulkan driver\n");
        skip();
    }
}

static void what_cannot_be_run(void **state)
{
    (void)state;
    static const char *const bundles[] = {"20261120_load_of_minus_zero", "20261120_ids_along_x"};
    for (size_t i = 0; i < ARRAY_N(bundles); i++) {
        struct rig r;
        char path[RIG_PATH];
        (void)snprintf(path, sizeof path, "%s/%s", regress, bundles[i]);
        rig_read(&r, path);
        rig_fill(&r, VERDICT_CRASH);
        rig_write(&r);
        const char *const vars = make_bad_env(&r, r.bundle.tc.env);
        assert_int_equal(rig_run(&r, vars ? vars : "", "no-such-device"), 2);
        assert_true(rig_log_has(&r, "no-such-device"));
        assert_int_equal(rig_run(&r, vars ? vars : "", "--list"), 0);
        char platform[128];
        (void)facts_get(r.bundle.ob.facts, "platform", platform, sizeof platform);
        assert_true(!vars || rig_log_has(&r, platform));
        assert_int_equal(rig_do("rm '%s/in-0.bin'", r.folder), 0);
        assert_int_equal(rig_run(&r, vars ? vars : "", ""), 2);
        rig_free(&r);
    }
}

/* ---- several dispatches, and a size of work-groups by specialization ---- */

enum {
    N_GROUPS = 7, /* of one work-item in OpenCL, of two in Vulkan */
    MAX_OUT = 2 * N_GROUPS
};

/* Each work-item stores its WorkgroupId. */
static const char cl_ids[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"main_kernel\" %gid %wid\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %wid BuiltIn WorkgroupId\n"
    "OpDecorate %gid Constant\nOpDecorate %wid Constant\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
    "%pu = OpTypePointer CrossWorkgroup %u32\n%fn = OpTypeFunction %void %pu\n"
    "%gid = OpVariable %pv3 Input\n%wid = OpVariable %pv3 Input\n"
    "%main = OpFunction %void None %fn\n%out = OpFunctionParameter %pu\n%entry = OpLabel\n"
    "%g = OpLoad %v3 %gid\n%at = OpCompositeExtract %u64 %g 0\n%w = OpLoad %v3 %wid\n"
    "%x = OpCompositeExtract %u64 %w 0\n%r = OpUConvert %u32 %x\n"
    "%p = OpInBoundsPtrAccessChain %pu %out %at\nOpStore %p %r\nOpReturn\nOpFunctionEnd\n";
static const char vk_ids[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main_kernel\" %gid %wid\n"
    "OpExecutionModeId %main LocalSizeId %x %one %one\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %wid BuiltIn WorkgroupId\n"
    "OpDecorate %x SpecId 5\nOpDecorate %arr ArrayStride 4\nOpDecorate %block Block\n"
    "OpMemberDecorate %block 0 Offset 0\nOpDecorate %out DescriptorSet 0\n"
    "OpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%v3 = OpTypeVector %u32 3\n"
    "%pv3 = OpTypePointer Input %v3\n%arr = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %arr\n"
    "%pb = OpTypePointer StorageBuffer %block\n%pu = OpTypePointer StorageBuffer %u32\n"
    "%fn = OpTypeFunction %void\n%zero = OpConstant %u32 0\n%one = OpConstant %u32 1\n"
    "%x = OpSpecConstant %u32 1\n%gid = OpVariable %pv3 Input\n%wid = OpVariable %pv3 Input\n"
    "%out = OpVariable %pb StorageBuffer\n%main = OpFunction %void None %fn\n%entry = OpLabel\n"
    "%g = OpLoad %v3 %gid\n%at = OpCompositeExtract %u32 %g 0\n%w = OpLoad %v3 %wid\n"
    "%r = OpCompositeExtract %u32 %w 0\n%p = OpAccessChain %pu %out %zero %at\nOpStore %p %r\n"
    "OpReturn\nOpFunctionEnd\n";

/* Three dispatches run it: of two, two and three work-groups. */
static void fill_ids(struct rig *r, enum env env, uint32_t out[MAX_OUT])
{
    struct err e = {0};
    struct testcase *const tc = &r->bundle.tc;
    bool const is_vk = env == ENV_VK;
    uint32_t const n_local = is_vk ? 2 : 1;
    const char *const text = is_vk ? vk_ids : cl_ids;
    const uint32_t *words = NULL;
    *tc = (struct testcase){
        .env = env,
        .profile = "atomics",
        .entry = "main_kernel",
        .build_options = "",
        .local = {n_local,            1, 1},
        .global = {n_local * N_GROUPS,                 1, 1},
        .n_dispatches = 3,
        .n_bufs = 1,
        .n_specs = is_vk,
        .specs = {{.id = 5, .n_bytes = 4, .bits = 2}}
    };
    if (spirv_assemble("ids", text, strlen(text), &r->a, &words, &tc->n_words, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    uint32_t *const module = arena_copy(&r->a, words, sizeof *words * tc->n_words);
    assert_non_null(module);
    module[1] = is_vk ? 0x10300 : 0x10000;
    tc->module = module;
    needs_add(&tc->needs, is_vk ? NEED_VK_LOCAL_SIZE_ID : NEED_CL_IL_1_0);
    tc->bufs[0] = (struct buf){.n_bytes = MAX_OUT * 4, .data = (unsigned char *)out};
    r->bundle.ob = (struct observation){.log = "",
                                        .signature = "",
                                        .facts = is_vk ? "platform=llvmpipe\nvk.api=0x10300\n"
                                                         "vk.f.maintenance4=1\n"
                                                       : "platform=\ncl.il_max=0x10200\n"};
    r->bundle.has_observation = 0;
}

static void dispatches_are_run(void **state)
{
    static const uint32_t told[ENV_N][MAX_OUT] = {
        [ENV_CL] = {0,  1, 0, 1, 0, 1, 2},
          [ENV_VK] = { 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}
    };
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct rig r;
        uint32_t out[MAX_OUT];
        uint32_t const n = env == ENV_CL ? N_GROUPS : MAX_OUT;
        memset(out, 0xa5, sizeof out);
        memset(&r, 0, sizeof r);
        arena_init(&r.a, (size_t)64 << 20);
        rig_make_folder(&r);
        fill_ids(&r, (enum env)env, out);
        rig_fill(&r, VERDICT_MASK);
        const char *const vars = make_bad_env(&r, (enum env)env);
        for (uint32_t i = n - 5; i < n; i++) {
            struct expect *const x = &r.expect[r.bug.n_expect++];
            *x = (struct expect){.buf = 0, .byte = 4 * i, .n_bytes = 4, .n = 1};
            x->r[0] = (struct expect_range){told[env][i], told[env][i]};
        }
        for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
            r.expect[0].r[0].lo += is_wrong;
            r.expect[0].r[0].hi += is_wrong;
            rig_write(&r);
            int const status = vars ? rig_run(&r, vars, "") : is_wrong;
            if (status != is_wrong) {
                rig_print_log(&r);
                fail_msg("%s: exit status %d", env_names[env], status);
            }
        }
        rig_free(&r);
    }
}

/* ---- arguments by value ---- */

/* kernel(float x, global uint *out, ushort2 v): out = {x's bits, v.y}. */
static const char values[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int16\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"main_kernel\"\n"
    "%void = OpTypeVoid\n%u16 = OpTypeInt 16 0\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n"
    "%f32 = OpTypeFloat 32\n%v2 = OpTypeVector %u16 2\n%pu = OpTypePointer CrossWorkgroup %u32\n"
    "%fn = OpTypeFunction %void %f32 %pu %v2\n%one = OpConstant %u64 1\n"
    "%main = OpFunction %void None %fn\n%x = OpFunctionParameter %f32\n"
    "%out = OpFunctionParameter %pu\n%v = OpFunctionParameter %v2\n%entry = OpLabel\n"
    "%bits = OpBitcast %u32 %x\n%y = OpCompositeExtract %u16 %v 1\n%wide = OpUConvert %u32 %y\n"
    "%p = OpInBoundsPtrAccessChain %pu %out %one\nOpStore %out %bits\nOpStore %p %wide\n"
    "OpReturn\nOpFunctionEnd\n";

/* The bug of what they gave, on a driver that is right. */
static void fill_values(struct rig *r, uint32_t *x, uint32_t before[MAX_OUT], uint32_t after[2],
                        unsigned char v[4])
{
    struct err e = {0};
    struct testcase *const tc = &r->bundle.tc;
    memset(r, 0, sizeof *r);
    arena_init(&r->a, (size_t)64 << 20);
    rig_make_folder(r);
    fill_ids(r, ENV_CL, before);
    if (spirv_assemble("values", values, strlen(values), &r->a, &tc->module, &tc->n_words, &e) !=
        RES_OK) {
        fail_msg("%s", e.text);
    }
    tc->n_dispatches = 1;
    tc->global[0] = tc->local[0] = 1;
    tc->n_bufs = 3;
    tc->bufs[0] = (struct buf){.kind = BUF_VALUE, .n_bytes = 4, .data = (unsigned char *)x};
    tc->bufs[1] = (struct buf){.n_bytes = 8, .data = (unsigned char *)before};
    tc->bufs[2] = (struct buf){.kind = BUF_VALUE, .n_bytes = 4, .data = v};
    struct observation *const ob = &r->bundle.ob;
    ob->status = RUN_DONE;
    ob->phase = PHASE_DONE;
    ob->n_bufs = 3;
    ob->out[0] = (unsigned char *)x;
    ob->out[1] = (unsigned char *)after;
    ob->out[2] = v;
    r->bundle.has_observation = 1;
}

/* The program sets them: on a driver that is right, words are what they must be, outputs what they were, and margins are
 * left alone; with another argument the word and the outputs are others. */
static void values_are_set(void **state)
{
    static const struct {
        enum verdict_kind kind;
        enum bug_kind bug;
        int status, with_another;
    } rows[] = {
        {VERDICT_ULP,          BUG_WORDS,   0, 1},
        {VERDICT_INCONCLUSIVE, BUG_OUTPUTS, 1, 0},
        {VERDICT_CORRUPT,      BUG_MARGINS, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig r;
        uint32_t x = 0x40490fdb, before[MAX_OUT] = {0}, after[2] = {0x40490fdb, 0xfedc};
        unsigned char v[4] = {1, 2, 0xdc, 0xfe};
        fill_values(&r, &x, before, after, v);
        r.bundle.ob.guard_hits = rows[i].kind == VERDICT_CORRUPT ? 2 : 0;
        rig_fill(&r, rows[i].kind);
        if (rows[i].kind == VERDICT_ULP) {
            r.bug.n_expect = 1;
            r.expect[0] = (struct expect){.buf = 1, .byte = 4, .n_bytes = 4, .n = 1};
            r.expect[0].r[0] = (struct expect_range){0xfedc, 0xfedc};
        }
        assert_int_equal(bug_get_kind(&r.bug), rows[i].bug);
        const char *const vars = make_bad_env(&r, ENV_CL);
        for (int is_other = 0; is_other < 2; is_other++) {
            int const want = is_other ? rows[i].with_another : rows[i].status;
            v[3] ^= (unsigned char)is_other;
            rig_write(&r);
            int const status = vars ? rig_run(&r, vars, "") : want;
            if (status != want) {
                rig_print_log(&r);
                fail_msg("%s: exit status %d", verdict_rows[rows[i].kind].name, status);
            }
        }
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_set),     cmocka_unit_test(real_findings),
        cmocka_unit_test(bad_opencl),         cmocka_unit_test(bad_vulkan),
        cmocka_unit_test(words_are_compared), cmocka_unit_test(what_cannot_be_run),
        cmocka_unit_test(images_and_texels),  cmocka_unit_test(dispatches_are_run),
    };
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 32) > 0) { /* build/opt/tests/this */
        *strrchr(self, '/') = 0;
        *strrchr(self, '/') = 0;
        (void)strcat(self, "/halfulp-worker");
        (void)setenv("HALFULP_WORKER", self, 0);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
