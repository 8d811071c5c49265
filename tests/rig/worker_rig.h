/* tests/rig/worker_rig.h -- what test_worker.c stands on: a module for each API, the environment of a
 * misbehaving driver, and a worker process to talk to. Included once. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/testcase.h"
#include "fuzz/io/spirv.h"
#include "fuzz/wire/wire.h"
#include "tests/rig/patience.h"

enum {
    N_ITEMS = 64,
    N_CELLS = 4,
    MAX_ENV = 12,
    HANG_MS = 1500
};

static const char *const opencl_text = "OpCapability Addresses\n"
                                       "OpCapability Kernel\n"
                                       "OpCapability Int64\n"
                                       "OpCapability AtomicFloat32AddEXT\n"
                                       "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
                                       "OpMemoryModel Physical64 OpenCL\n"
                                       "OpEntryPoint Kernel %f \"main_kernel\" %gid\n"
                                       "OpDecorate %gid BuiltIn GlobalInvocationId\n"
                                       "OpDecorate %gid Constant\n"
                                       "%void = OpTypeVoid\n"
                                       "%u32 = OpTypeInt 32 0\n"
                                       "%u64 = OpTypeInt 64 0\n"
                                       "%f32 = OpTypeFloat 32\n"
                                       "%v3 = OpTypeVector %u64 3\n"
                                       "%pv3 = OpTypePointer Input %v3\n"
                                       "%pu = OpTypePointer CrossWorkgroup %u32\n"
                                       "%pf = OpTypePointer CrossWorkgroup %f32\n"
                                       "%ft = OpTypeFunction %void %pu %pu %pf\n"
                                       "%gid = OpVariable %pv3 Input\n"
                                       "%one = OpConstant %u32 1\n"
                                       "%zero = OpConstant %u32 0\n"
                                       "%f = OpFunction %void None %ft\n"
                                       "%in = OpFunctionParameter %pu\n"
                                       "%out = OpFunctionParameter %pu\n"
                                       "%cell = OpFunctionParameter %pf\n"
                                       "%l = OpLabel\n"
                                       "%g = OpLoad %v3 %gid\n"
                                       "%x = OpCompositeExtract %u64 %g 0\n"
                                       "%ip = OpInBoundsPtrAccessChain %pu %in %x\n"
                                       "%iv = OpLoad %u32 %ip Aligned 4\n"
                                       "%fv = OpBitcast %f32 %iv\n"
                                       "%old = OpAtomicFAddEXT %f32 %cell %one %zero %fv\n"
                                       "%ob = OpBitcast %u32 %old\n"
                                       "%op = OpInBoundsPtrAccessChain %pu %out %x\n"
                                       "OpStore %op %ob Aligned 4\n"
                                       "OpReturn\n"
                                       "OpFunctionEnd\n";

/* The same, and the same addition to texel (1, 2) of an image and texel 2 of a texel buffer. */
static const char *const vulkan_text = "OpCapability Shader\n"
                                       "OpCapability AtomicFloat32AddEXT\n"
                                       "OpCapability ImageBuffer\n"
                                       "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
                                       "OpMemoryModel Logical GLSL450\n"
                                       "OpEntryPoint GLCompute %f \"main_kernel\" %gid\n"
                                       "OpExecutionMode %f LocalSize 16 1 1\n"
                                       "OpDecorate %gid BuiltIn GlobalInvocationId\n"
                                       "OpDecorate %ru ArrayStride 4\n"
                                       "OpDecorate %rf ArrayStride 4\n"
                                       "OpDecorate %su Block\n"
                                       "OpMemberDecorate %su 0 Offset 0\n"
                                       "OpDecorate %sf Block\n"
                                       "OpMemberDecorate %sf 0 Offset 0\n"
                                       "OpDecorate %in DescriptorSet 0\n"
                                       "OpDecorate %in Binding 0\n"
                                       "OpDecorate %out DescriptorSet 0\n"
                                       "OpDecorate %out Binding 1\n"
                                       "OpDecorate %cell DescriptorSet 0\n"
                                       "OpDecorate %cell Binding 2\n"
                                       "OpDecorate %img DescriptorSet 0\n"
                                       "OpDecorate %img Binding 3\n"
                                       "OpDecorate %tex DescriptorSet 0\n"
                                       "OpDecorate %tex Binding 4\n"
                                       "%void = OpTypeVoid\n"
                                       "%u32 = OpTypeInt 32 0\n"
                                       "%f32 = OpTypeFloat 32\n"
                                       "%v3 = OpTypeVector %u32 3\n"
                                       "%v2 = OpTypeVector %u32 2\n"
                                       "%pv3 = OpTypePointer Input %v3\n"
                                       "%ru = OpTypeRuntimeArray %u32\n"
                                       "%rf = OpTypeRuntimeArray %f32\n"
                                       "%su = OpTypeStruct %ru\n"
                                       "%sf = OpTypeStruct %rf\n"
                                       "%psu = OpTypePointer StorageBuffer %su\n"
                                       "%psf = OpTypePointer StorageBuffer %sf\n"
                                       "%pu = OpTypePointer StorageBuffer %u32\n"
                                       "%pf = OpTypePointer StorageBuffer %f32\n"
                                       "%ti = OpTypeImage %f32 2D 0 0 0 2 R32f\n"
                                       "%tt = OpTypeImage %f32 Buffer 0 0 0 2 R32f\n"
                                       "%pi = OpTypePointer UniformConstant %ti\n"
                                       "%pt = OpTypePointer UniformConstant %tt\n"
                                       "%pif = OpTypePointer Image %f32\n"
                                       "%ft = OpTypeFunction %void\n"
                                       "%gid = OpVariable %pv3 Input\n"
                                       "%in = OpVariable %psu StorageBuffer\n"
                                       "%out = OpVariable %psu StorageBuffer\n"
                                       "%cell = OpVariable %psf StorageBuffer\n"
                                       "%img = OpVariable %pi UniformConstant\n"
                                       "%tex = OpVariable %pt UniformConstant\n"
                                       "%one = OpConstant %u32 1\n"
                                       "%two = OpConstant %u32 2\n"
                                       "%zero = OpConstant %u32 0\n"
                                       "%at = OpConstantComposite %v2 %one %two\n"
                                       "%f = OpFunction %void None %ft\n"
                                       "%l = OpLabel\n"
                                       "%g = OpLoad %v3 %gid\n"
                                       "%x = OpCompositeExtract %u32 %g 0\n"
                                       "%ip = OpAccessChain %pu %in %zero %x\n"
                                       "%iv = OpLoad %u32 %ip\n"
                                       "%fv = OpBitcast %f32 %iv\n"
                                       "%cp = OpAccessChain %pf %cell %zero %zero\n"
                                       "%old = OpAtomicFAddEXT %f32 %cp %one %zero %fv\n"
                                       "%ip2 = OpImageTexelPointer %pif %img %at %zero\n"
                                       "%old2 = OpAtomicFAddEXT %f32 %ip2 %one %zero %fv\n"
                                       "%ip3 = OpImageTexelPointer %pif %tex %two %zero\n"
                                       "%old3 = OpAtomicFAddEXT %f32 %ip3 %one %zero %fv\n"
                                       "%ob = OpBitcast %u32 %old\n"
                                       "%op = OpAccessChain %pu %out %zero %x\n"
                                       "OpStore %op %ob\n"
                                       "OpReturn\n"
                                       "OpFunctionEnd\n";

/* What a test of one API works on. */
struct fixture {
    enum env env;
    struct arena a;
    struct testcase tc;
    char build[PATH_MAX];  /* folder of the programs */
    char folder[PATH_MAX]; /* own, for manifests and the crash file */
    char env_vars[MAX_ENV][PATH_MAX + 64];
    unsigned n_env;
    uint32_t in[N_ITEMS], out[N_ITEMS], cells[N_CELLS], image[12], texels[5];
};

/* A worker that was started. */
struct session {
    pid_t pid;
    int to, from;
};

/* How a session ended. */
struct outcome {
    int has_reply, is_late;
    struct observation ob;
    int wait_status;
    char crash[2048];
    int phase_byte; /* of the crash file: what it was at in the end, 1 + enum run_phase */
};

/* Encoding of a small non-negative multiple of 1/2, worked out from the bits. */
static uint32_t encode_half(uint32_t halves)
{
    uint32_t exponent = 126;
    uint64_t fraction = halves;
    if (halves == 0) {
        return 0;
    }
    while (fraction >> 1) {
        fraction >>= 1;
        exponent++;
    }
    return exponent << 23 | ((halves << (23 - (exponent - 126))) & 0x7fffff);
}

/* 2x the value of an encoding that encode_half could have made; UINT32_MAX for any other. */
static uint32_t decode_half(uint32_t enc)
{
    uint32_t const exponent = enc >> 23;
    if (enc == 0) {
        return 0;
    }
    if (exponent < 126 || exponent > 140) {
        return UINT32_MAX;
    }
    uint32_t const halves = ((enc & 0x7fffff) | 0x800000) >> (23 - (exponent - 126));
    return encode_half(halves) == enc ? halves : UINT32_MAX;
}

static void put_env(struct fixture *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void put_env(struct fixture *f, const char *fmt, ...)
{
    va_list args;
    assert_true(f->n_env < MAX_ENV);
    va_start(args, fmt);
    (void)vsnprintf(f->env_vars[f->n_env++], sizeof f->env_vars[0], fmt, args);
    va_end(args);
}

static void write_text(const char *path, const char *text)
{
    struct err e;
    assert_int_equal(file_write(path, text, strlen(text), &e), RES_OK);
}

/* The first path of a pattern, absolute; 0 when there is none. */
static int find_file(const char *pattern, char out[PATH_MAX])
{
    glob_t found;
    int is_found = 0;
    if (glob(pattern, 0, NULL, &found) == 0) {
        char here[PATH_MAX / 2] = "";
        if (found.gl_pathv[0][0] != '/') {
            assert_non_null(getcwd(here, sizeof here));
        }
        is_found = snprintf(out, PATH_MAX, "%s%s%s", here, here[0] ? "/" : "", found.gl_pathv[0]) <
                   PATH_MAX;
        globfree(&found);
    }
    return is_found;
}

static void find_build(struct fixture *f)
{
    ssize_t const n = readlink("/proc/self/exe", f->build, sizeof f->build - 1);
    assert_true(n > 0);
    f->build[n] = 0;
    for (int i = 0; i < 2; i++) { /* BUILD/tests/test_worker */
        *strrchr(f->build, '/') = 0;
    }
}

/* The case's module is of that text from now on. */
static void assemble(struct fixture *f, const char *text)
{
    struct err e;
    struct testcase *const tc = &f->tc;
    const uint32_t *words = NULL;
    if (spirv_assemble("test", text, strlen(text), &f->a, &words, &tc->n_words, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    uint32_t *const module = arena_copy(&f->a, words, sizeof *words * tc->n_words);
    assert_non_null(module);
    module[1] = f->env == ENV_CL ? 0x10000 : 0x10300; /* the version that the text is written for */
    tc->module = module;
}

static void fill_case(struct fixture *f)
{
    struct testcase *const tc = &f->tc;
    tc->env = f->env;
    tc->profile = "atomics";
    tc->entry = "main_kernel";
    tc->build_options = "";
    assemble(f, f->env == ENV_CL ? opencl_text : vulkan_text);
    for (unsigned i = 0; i < 3; i++) {
        tc->local[i] = i == 0 ? 16 : 1;
        tc->global[i] = i == 0 ? N_ITEMS : 1;
    }
    for (uint32_t i = 0; i < N_ITEMS; i++) {
        f->in[i] = encode_half(2 * i + 2);
        f->out[i] = 0xeeeeeeee;
    }
    f->cells[0] = encode_half(1);
    tc->bufs[0] = (struct buf){.n_bytes = sizeof f->in, .data = (unsigned char *)f->in};
    tc->bufs[1] = (struct buf){.n_bytes = sizeof f->out, .data = (unsigned char *)f->out};
    tc->bufs[2] = (struct buf){.n_bytes = sizeof f->cells, .data = (unsigned char *)f->cells};
    tc->n_bufs = 3;
    if (f->env == ENV_VK) {
        tc->bufs[3] = (struct buf){.kind = BUF_IMAGE2D_R32F,
                                   .width = 4,
                                   .height = 3,
                                   .n_bytes = sizeof f->image,
                                   .data = (unsigned char *)f->image};
        tc->bufs[4] = (struct buf){.kind = BUF_TEXEL_R32F,
                                   .n_bytes = sizeof f->texels,
                                   .data = (unsigned char *)f->texels};
        tc->n_bufs = 5;
    }
}

/* Environment for the real driver behind the misbehaving one; 0 where there is no real one. */
static int set_up_opencl(struct fixture *f)
{
    const char *const drivers = getenv("HALFULP_DRIVERS");
    char pattern[PATH_MAX], real[PATH_MAX], folder[PATH_MAX], icd[PATH_MAX + 16],
        text[PATH_MAX + 32];
    (void)snprintf(pattern, sizeof pattern, "%s/intel-cpu/lib/libintelocl.so",
                   drivers ? drivers : "drivers");
    if (!find_file(pattern, real)) {
        print_message("skipped: no OpenCL driver at %s\n", pattern);
        return 0;
    }
    (void)snprintf(folder, sizeof folder, "%s", real);
    *strrchr(folder, '/') = 0;
    (void)snprintf(icd, sizeof icd, "%s/bad.icd", f->folder);
    (void)snprintf(text, sizeof text, "%s/libbadocl.so\n", f->build);
    write_text(icd, text);
    put_env(f, "OCL_ICD_VENDORS=%s", f->folder);
    put_env(f, "LD_LIBRARY_PATH=%s", folder);
    put_env(f, "HALFULP_BAD_REAL=%s", real);
    return 1;
}

static int set_up_vulkan(struct fixture *f)
{
    char icd[PATH_MAX], manifest[PATH_MAX + 16], text[PATH_MAX + 512];
    if (!find_file("/usr/share/vulkan/icd.d/lvp_icd*.json", icd)) {
        print_message("skipped: no lavapipe in /usr/share/vulkan/icd.d\n");
        return 0;
    }
    (void)snprintf(manifest, sizeof manifest, "%s/bad.json", f->folder);
    (void)snprintf(text, sizeof text,
                   "{\"file_format_version\": \"1.1.2\", \"layer\": {\"name\": "
                   "\"VK_LAYER_HALFULP_bad\", \"type\": \"GLOBAL\", \"library_path\": "
                   "\"%s/libbadvk.so\", \"api_version\": \"1.3.0\", \"implementation_version\": "
                   "\"1\", \"description\": \"misbehaves\"}}\n",
                   f->build);
    write_text(manifest, text);
    put_env(f, "VK_LAYER_PATH=%s", f->folder);
    put_env(f, "VK_INSTANCE_LAYERS=VK_LAYER_HALFULP_bad");
    put_env(f, "VK_ICD_FILENAMES=%s", icd);
    return 1;
}

static void tear_down(struct fixture *f)
{
    static const char *const names[] = {"bad.icd", "bad.json", "crash", "go"};
    char path[PATH_MAX + 16];
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", f->folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(f->folder);
    arena_free(&f->a);
}

/* Skips the test, cleanly, where the driver is not there. */
static void set_up(struct fixture *f, enum env env)
{
    const char *const tmp = getenv("TMPDIR");
    memset(f, 0, sizeof *f);
    f->env = env;
    arena_init(&f->a, (size_t)64 << 20);
    (void)snprintf(f->folder, sizeof f->folder, "%s/test-worker-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(f->folder));
    find_build(f);
    fill_case(f);
    put_env(f, "MESA_SHADER_CACHE_DISABLE=true");
    put_env(f, "ASAN_OPTIONS=detect_leaks=0"); /* a driver's leaks are not the worker's */
    if (!(env == ENV_CL ? set_up_opencl(f) : set_up_vulkan(f))) {
        tear_down(f);
        skip();
    }
}

/* The file for which a driver waits that is to crash after the answer. */
static const char *go_path(const struct fixture *f, char path[PATH_MAX + 32])
{
    (void)snprintf(path, PATH_MAX + 32, "%s/go", f->folder);
    return path;
}

static _Noreturn void exec_worker(const struct fixture *f, const char *const *args)
{
    char program[PATH_MAX + 32], crash[PATH_MAX + 32], go[PATH_MAX + 32];
    char *argv[16] = {program};
    unsigned n = 1;
    (void)snprintf(program, sizeof program, "%s/halfulp-worker", f->build);
    (void)snprintf(crash, sizeof crash, "%s/crash", f->folder);
    (void)setenv("HALFULP_BAD_GO", go_path(f, go), 1);
    for (unsigned i = 0; i < f->n_env; i++) {
        char *const value = strchr(f->env_vars[i], '=');
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)(value - f->env_vars[i]), f->env_vars[i]);
        (void)setenv(name, value + 1, 1);
    }
    for (unsigned i = 0; args[i] && n < 12; i++) {
        memcpy(&argv[n++], &args[i], sizeof args[i]);
    }
    static char crash_option[] = "--crash-fd";
    static char crash_number[] = "77";
    int const fd = open(crash, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, 77) < 0) {
        _exit(97);
    }
    argv[n++] = crash_option;
    argv[n++] = crash_number;
    argv[n] = NULL;
    (void)execv(program, argv);
    _exit(99);
}

static struct session start(const struct fixture *f, const char *mode, const char *const *args)
{
    struct session s = {.pid = -1};
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    s.pid = fork();
    assert_true(s.pid >= 0);
    if (s.pid == 0) {
        (void)setenv("HALFULP_BAD", mode, 1);
        if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0) {
            _exit(98);
        }
        (void)close(in[0]);
        (void)close(in[1]);
        (void)close(out[0]);
        (void)close(out[1]);
        exec_worker(f, args);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    s.to = in[1];
    s.from = out[0];
    return s;
}

static struct session start_api(const struct fixture *f, const char *mode)
{
    const char *const args[] = {"--api", env_names[f->env], NULL};
    return start(f, mode, args);
}

/* 1: a message; 0: end of input or broken; -1: nothing within the time. */
static int receive(struct session *s, struct arena *a, int wait_ms, enum wire_kind *kind,
                   const unsigned char **p, size_t *n)
{
    struct pollfd poll_fd = {.fd = s->from, .events = POLLIN};
    struct err e;
    if (poll(&poll_fd, 1, wait_ms) <= 0) {
        return -1;
    }
    return wire_read(s->from, a, kind, p, n, &e) == RES_OK && *p;
}

static void sleep_ms(long ms)
{
    struct timespec const wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&wait, NULL);
}

/* Close the input and wait; is_hung: it never ends by itself. */
static void finish(const struct fixture *f, struct session *s, int is_hung, struct outcome *out)
{
    char path[PATH_MAX + 16];
    int is_reaped = 0;
    (void)close(s->to);
    if (is_hung) {
        (void)kill(s->pid, SIGKILL);
    }
    for (int ms = 0; ms < PATIENCE_MS && !is_reaped; ms += 10) {
        is_reaped = waitpid(s->pid, &out->wait_status, WNOHANG) == s->pid;
        if (!is_reaped) {
            sleep_ms(10);
        }
    }
    if (!is_reaped) {
        (void)kill(s->pid, SIGKILL);
        (void)waitpid(s->pid, &out->wait_status, 0);
        fail_msg("the worker did not end");
    }
    (void)close(s->from);
    (void)snprintf(path, sizeof path, "%s/crash", f->folder);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    size_t const n = fread(out->crash, 1, sizeof out->crash - 1, file);
    out->crash[n] = 0;
    out->phase_byte = fseek(file, WIRE_PHASE_AT, SEEK_SET) == 0 ? fgetc(file) : EOF;
    (void)fclose(file);
}

static void expect_hello(struct fixture *f, struct session *s, const char **facts)
{
    enum wire_kind kind = WIRE_ERROR;
    const unsigned char *p = NULL;
    size_t n = 0;
    assert_int_equal(receive(s, &f->a, PATIENCE_MS, &kind, &p, &n), 1);
    *facts = arena_printf(&f->a, "%.*s", (int)n, (const char *)p);
    if (kind != WIRE_HELLO) {
        fail_msg("no hello: %s", *facts);
    }
}

static void send_as(struct fixture *f, struct session *s, enum wire_kind kind)
{
    size_t n = 0;
    struct err e;
    const unsigned char *const p = testcase_encode(&f->tc, &f->a, &n);
    assert_non_null(p);
    assert_int_equal(wire_write(s->to, kind, p, n, &e), RES_OK);
}

static void send_case(struct fixture *f, struct session *s)
{
    send_as(f, s, WIRE_CASE);
}

static void receive_result(struct fixture *f, struct session *s, int wait_ms, struct outcome *out)
{
    enum wire_kind kind = WIRE_ERROR;
    const unsigned char *p = NULL;
    size_t n = 0;
    struct err e;
    int const got = receive(s, &f->a, wait_ms, &kind, &p, &n);
    out->is_late = got < 0;
    out->has_reply = got == 1;
    if (got == 1) {
        assert_int_equal(kind, WIRE_RESULT);
        assert_int_equal(observation_decode(&out->ob, &f->tc, &f->a, p, n, &e), RES_OK);
    }
}
