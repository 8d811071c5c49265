/* fuzz/targets/targets_find.c -- what is here to be tested: drivers, driver roots, what targets.ini adds. */
#include "fuzz/targets/targets_find.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/process/place.h"
#include "fuzz/process/sandbox.h"
#include "fuzz/targets/targets_ini.h"
#include "oracle/fault/faults.h"

/* A driver that passes this is leaking; those that reserve address space (GPUs) have no such limit. */
#define CPU_DRIVER_AS_BYTES (UINT64_C(64) << 30)
/* Of a compiler: one that takes more for a kernel of a few hundred instructions does not come to an end. */
#define SHIM_AS_BYTES (UINT64_C(8) << 30)
/* A shim's device memory is one sparse file of 4 GiB. */
#define SHIM_FILE_BYTES (UINT64_C(4) << 30)
enum {
    ROOT_CHIPS_MAX = 8,
    INI_MAX_BYTES = 1 << 20
};

/* What gets the drivers that are not part of the set-up, and what that costs. */
#define MAKE_DRIVERS "make drivers (a few minutes of downloading, 4 GB of disk)"
/* The folder that scripts/vendor_math.sh writes, and what to call for it. */
#define LIBRARY_FOLDER "vendor-math"
#define MAKE_LIBRARIES "make vendor-math"

static int is_there(const char *path)
{
    return access(path, R_OK) == 0;
}

const char *targets_get_root(struct arena *a)
{
    const char *const named = getenv("HALFULP_DRIVERS");
    char cwd[CHILD_MAX_PATH];
    if (named && named[0] == '/') {
        return named;
    }
    if (named && named[0] && getcwd(cwd, sizeof(cwd))) {
        return arena_printf(a, "%s/%s", cwd, named);
    }
    const char *const found = place_find("drivers", a);
    return found ? found
                 : arena_printf(a, "%s/../share/halfulp/drivers", place_get_program_folder(a));
}

static void add_missing(struct target_list *l, const char *name, const char *how)
{
    if (l->n_missing < TARGETS_MAX) {
        l->missing[l->n_missing++] = (struct target_missing){name, how};
    }
}

static void find_intel_cpu(struct target_list *l, const char *root, struct arena *a)
{
    if (!is_there(arena_printf(a, "%s/intel-cpu/icd/intel.icd", root))) {
        add_missing(l, "intel-cpu", "make setup (a few minutes, 1 GB of disk)");
        return;
    }
    struct target *t = targets_add(l, "intel-cpu", ENV_CL, a);
    if (!t) {
        return;
    }
    t->loader = arena_printf(a, "%s/intel-cpu/lib/libOpenCL.so.1", root);
    if (!is_there(t->loader)) {
        t->loader = "";
    }
    t->env_vars[0] = arena_printf(a, "OCL_ICD_VENDORS=%s/intel-cpu/icd", root);
    t->env_vars[1] = arena_printf(a, "LD_LIBRARY_PATH=%s/intel-cpu/lib", root);
    t->as_limit_bytes = CPU_DRIVER_AS_BYTES;
}

static void set_vulkan_icd(struct target *t, const char *path, struct arena *a)
{
    t->env_vars[0] = arena_printf(a, "VK_ICD_FILENAMES=%s", path);
    t->env_vars[1] = arena_printf(a, "VK_DRIVER_FILES=%s", path);
}

/* Who names the drivers to be used by the loader's own variables has no others. */
static int is_shut_out(const char *path)
{
    static const char *const names[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        const char *list = getenv(names[i]);
        if (list && list[0]) {
            return !strstr(list, path);
        }
    }
    return 0;
}

/* Add the machine's own lavapipe, Mesa's Vulkan on the CPU, or add it to the missing ones with how to get it.
 * The driver of 32 bits is passed over, as are those that is_shut_out. */
static void find_lavapipe(struct target_list *l, struct arena *a)
{
    glob_t found;
    const char *path = NULL;
    if (glob("/usr/share/vulkan/icd.d/lvp_icd*.json", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            if (!strstr(found.gl_pathv[i], "i686") && !is_shut_out(found.gl_pathv[i])) {
                path = arena_printf(a, "%s", found.gl_pathv[i]);
            }
        }
        globfree(&found);
    }
    struct target *t = path ? targets_add(l, "lavapipe", ENV_VK, a) : NULL;
    if (!t) {
        add_missing(l, "lavapipe", "make setup, or Debian package mesa-vulkan-drivers");
        return;
    }
    t->device = "llvmpipe";
    t->as_limit_bytes = CPU_DRIVER_AS_BYTES;
    set_vulkan_icd(t, path, a);
}

/* The first line of a file that a script wrote; NULL: there is none. */
static const char *read_line(const char *path, struct arena *a)
{
    enum {
        MAX_LINE = 256
    };
    const unsigned char *text = NULL;
    size_t n = 0;
    struct err ignored;
    if (file_read(path, MAX_LINE, a, &text, &n, &ignored) != RES_OK) {
        return NULL;
    }
    const unsigned char *const end = memchr(text, '\n', n);
    return arena_printf(a, "%.*s", (int)(end ? (size_t)(end - text) : n), (const char *)text);
}

static void find_swiftshader(struct target_list *l, const char *root, struct arena *a)
{
    const char *path = arena_printf(a, "%s/swiftshader/icd.json", root);
    struct target *t = is_there(path) ? targets_add(l, "swiftshader", ENV_VK, a) : NULL;
    if (!t) {
        add_missing(l, "swiftshader", MAKE_DRIVERS);
        return;
    }
    t->device = "SwiftShader";
    t->package = read_line(arena_printf(a, "%s/swiftshader/package", root), a);
    t->as_limit_bytes = CPU_DRIVER_AS_BYTES;
    set_vulkan_icd(t, path, a);
}

/* Drivers that scripts/instrumented.sh built. The worker has AFL++'s runtime, which wants the driver
 * there when the process starts, and so does a sanitizer's. */
struct instrumented_row {
    const char *name, *folder, *how;
    const char *library, *icd, *before; /* of the folder; what is to be loaded before the library */
    enum env env;
    const char *device;
    uint64_t as_limit_bytes;
    int compiles_late;
    const char *env_vars[2];
};

/* lavapipe spends nearly all time in LLVM, whose code is not counted: without its optimisation, and
 * without threads for the work-groups, the same edges cost a fifth less and vary less. */
static const struct instrumented_row instrumented_rows[] = {
    {"lavapipe-afl",
     "lavapipe-*[0-9]",    "make instrumented",
     "libvulkan_lvp.so", "icd.json",
     "",           ENV_VK,
     "llvmpipe", CPU_DRIVER_AS_BYTES,
     0, {"GALLIVM_PERF=nopt", "LP_NUM_THREADS=0"}},
    {"lavapipe-afl-address",
     "lavapipe-*-address", "make instrumented SANITIZE=address",
     "libvulkan_lvp.so", "icd.json",
     "libasan.so", ENV_VK,
     "llvmpipe", 0,
     0, {"GALLIVM_PERF=nopt", "LP_NUM_THREADS=0"}},
    {"pocl-afl",
     "pocl-*[0-9]",        "make instrumented DRIVER=pocl",
     "lib/libpocl.so",   "etc/OpenCL/vendors/pocl.icd",
     "",           ENV_CL,
     "",         CPU_DRIVER_AS_BYTES,
     1, {"POCL_MAX_PTHREAD_COUNT=1", NULL}       },
};

/* The newest folder of a row, or NULL. */
static const char *find_build(const struct instrumented_row *row, const char *root, struct arena *a)
{
    glob_t found;
    const char *folder = NULL;
    if (glob(arena_printf(a, "%s/instrumented/%s", root, row->folder), 0, NULL, &found) == 0) {
        folder = arena_printf(a, "%s", found.gl_pathv[found.gl_pathc - 1]);
        globfree(&found);
    }
    return folder;
}

/* Set the environment of an instrumented driver: how the loader finds it, which libraries are loaded with it,
 * and how the sanitizer in it behaves. set_vulkan_icd takes the first two places. */
static void set_instrumented_variables(struct target *t, const struct instrumented_row *row,
                                       const char *folder, struct arena *a)
{
    const char *const icd = arena_printf(a, "%s/%s", folder, row->icd);
    const char *const before = row->before[0] ? arena_printf(a, "%s/%s ", folder, row->before) : "";
    int n = 0;
    if (row->env == ENV_VK) {
        set_vulkan_icd(t, icd, a);
        n = 2;
    } else {
        t->env_vars[n++] = arena_printf(a, "OCL_ICD_VENDORS=%s", icd);
    }
    t->env_vars[n++] = arena_printf(a, "LD_PRELOAD=%s%s/%s", before, folder, row->library);
    /* The worker sees the driver's signals itself; a report ends in one, its text in the log. */
    t->env_vars[n++] =
        "ASAN_OPTIONS=detect_leaks=0:symbolize=0:abort_on_error=1:handle_segv=0:handle_sigbus=0:"
        "handle_abort=0:handle_sigfpe=0:handle_sigill=0:allocator_may_return_null=1";
    for (size_t i = 0; i < ARRAY_N(row->env_vars) && row->env_vars[i]; i++) {
        t->env_vars[n++] = row->env_vars[i];
    }
}

/* Add the driver of a row of instrumented drivers, if both the worker with AFL++'s runtime and a build of the
 * driver are there; else add it to the missing ones. It is never chosen by itself (on_request). */
static void find_instrumented(struct target_list *l, const char *root,
                              const struct instrumented_row *row, struct arena *a)
{
    const char *worker = arena_printf(a, "%s-afl", targets_get_worker(a));
    const char *folder = is_there(worker) ? find_build(row, root, a) : NULL;
    if (folder && strpbrk(folder, " :")) { /* LD_PRELOAD has no way to say these */
        add_missing(l, row->name, "a folder without spaces and colons in its path");
        return;
    }
    struct target *t = folder ? targets_add(l, row->name, row->env, a) : NULL;
    if (!t) {
        add_missing(l, row->name, row->how);
        return;
    }
    t->is_instrumented = 1;
    t->is_sandboxed = 0; /* AFL++'s map is shared memory of this machine's */
    t->on_request = 1;
    t->worker = worker;
    t->device = row->device;
    t->as_limit_bytes = row->as_limit_bytes;
    t->compiles_late = row->compiles_late;
    set_instrumented_variables(t, row, folder, a);
}

/*
 * Drivers within a root file system of another Debian release. A row with chips is a compiler for GPUs that
 * is started without one: Mesa's drm-shim `shim` stands in for the kernel's device, so that the driver lists
 * the facts of the chip that `chip_variable` names and builds for it, and a dispatch does nothing.
 */
struct root_row {
    const char *name;         /* with chips: with %s for each */
    const char *suite, *file; /* `file` of the root shows that the driver is in it */
    enum env env;
    enum language language; /* in which it is given its cases */
    const char *like;       /* the same driver without the variables that list more; NULL: none */
    const char *device;
    const char *env_vars[3];
    const char
        *api; /* "ocloc": a compiler without a device, whose chips are devices; NULL: that of env */
    const char *shim, *chip_variable;
    const char *how; /* NULL: MAKE_DRIVERS */
    bool tells_nir;  /* the driver hands out its final NIR, which an executor knows */
    struct {
        const char *name, *value;
    } chips[ROOT_CHIPS_MAX];
};

/* Debian packages no stand-in for Intel's kernel driver. */
#define INTEL_SHIM "libintel_noop_drm_shim.so of Mesa (-Dtools=drm-shim,intel) in the root"

/* The layout would indent each member by the longest row. */
/* clang-format off */
static const struct root_row root_rows[] = {
    {.name = "pocl-3", /* these two take no SPIR-V */
     .suite = "bookworm",
     .file = "etc/OpenCL/vendors/pocl.icd",
     .env = ENV_CL,
     .language = LANGUAGE_OPENCL_C,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd"}},
    {.name = "rusticl-22",
     .suite = "bookworm",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .language = LANGUAGE_OPENCL_C,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=llvmpipe"}},
    {.name = "pocl-6",
     .suite = "trixie",
     .file = "etc/OpenCL/vendors/pocl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd"}},
    {.name = "rusticl-25",
     .suite = "trixie",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=llvmpipe"}},
    {.name = "rusticl-25-fp64", /* doubles and halves, which it has and does not list by itself */
     .like = "rusticl-25",
     .suite = "trixie",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=llvmpipe",
                  "RUSTICL_FEATURES=fp64,fp16"}},
    {.name = "lavapipe-25",
     .suite = "trixie",
     .file = "usr/share/vulkan/icd.d/lvp_icd*.json",
     .env = ENV_VK,
     .device = "llvmpipe"},
    {.name = "pocl-7",
     .suite = "sid",
     .file = "etc/OpenCL/vendors/pocl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd"}},
    {.name = "rusticl-26",
     .suite = "sid",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=llvmpipe"}},
    {.name = "rusticl-26-fp64",
     .like = "rusticl-26",
     .suite = "sid",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=llvmpipe",
                  "RUSTICL_FEATURES=fp64,fp16"}},
    {.name = "lavapipe-26",
     .suite = "sid",
     .file = "usr/share/vulkan/icd.d/lvp_icd*.json",
     .env = ENV_VK,
     .device = "llvmpipe"},
    {.name = "radv-%s",
     .suite = "sid",
     .file = "usr/share/vulkan/icd.d/radeon_icd*.json",
     .env = ENV_VK,
     .tells_nir = true,
     .shim = "amdgpu",
     .chip_variable = "AMDGPU_GPU_ID",
     .chips = {{"vega10", "vega10"}, {"navi31", "navi31"}, {"gfx1201", "gfx1201"}}},
    {.name = "radv-25-%s",
     .suite = "trixie",
     .file = "usr/share/vulkan/icd.d/radeon_icd*.json",
     .env = ENV_VK,
     .tells_nir = true,
     .shim = "amdgpu",
     .chip_variable = "AMDGPU_GPU_ID",
     .chips = {{"vega10", "vega10"}, {"navi31", "navi31"}}},
    {.name = "nvk-25-%s", /* its texts are assembly alone */
     .suite = "trixie",
     .file = "usr/share/vulkan/icd.d/nouveau_icd*.json",
     .env = ENV_VK,
     .shim = "nouveau",
     .chip_variable = "NOUVEAU_CHIPSET",
     .chips = {{"turing", "0x164"}, {"ampere", "0x172"}}},
    {.name = "anv-%s",
     .suite = "sid",
     .file = "usr/share/vulkan/icd.d/intel_icd*.json",
     .env = ENV_VK,
     .shim = "intel",
     .how = INTEL_SHIM,
     .chip_variable = "INTEL_STUB_GPU_PLATFORM",
     .chips = {{"skl", "skl"}, {"icl", "icl"}, {"tgl", "tgl"}, {"dg2", "dg2"}, {"mtl", "mtl"}}},
    {.name = "hasvk-%s",
     .suite = "sid",
     .file = "usr/share/vulkan/icd.d/intel_hasvk_icd*.json",
     .env = ENV_VK,
     .shim = "intel",
     .how = INTEL_SHIM,
     .chip_variable = "INTEL_STUB_GPU_PLATFORM",
     .chips = {{"hsw", "hsw"}, {"bdw", "bdw"}}},
    {.name = "rusticl-iris-%s",
     .suite = "sid",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=iris"},
     .shim = "intel",
     .how = INTEL_SHIM,
     .chip_variable = "INTEL_STUB_GPU_PLATFORM",
     .chips = {{"skl", "skl"}, {"tgl", "tgl"}, {"dg2", "dg2"}}},
    {.name = "turnip-%s",
     .suite = "sid",
     .file = "usr/share/vulkan/icd.d/freedreno_icd*.json",
     .env = ENV_VK,
     .tells_nir = true,
     .shim = "freedreno",
     .chip_variable = "FD_GPU_ID",
     .chips = {{"a630", "630"}, {"a740", "740"}}},
    {.name = "nvk-%s",
     .suite = "sid",
     .file = "usr/share/vulkan/icd.d/nouveau_icd*.json",
     .env = ENV_VK,
     .tells_nir = true,
     .shim = "nouveau",
     .chip_variable = "NOUVEAU_CHIPSET",
     .chips = {{"kepler", "0xe4"},
               {"maxwell", "0x124"},
               {"pascal", "0x134"},
               {"turing", "0x164"},
               {"ampere", "0x172"},
               {"ada", "0x194"}}},
    {.name = "honeykrisp",
     .suite = "sid",
     .file = "usr/share/vulkan/icd.d/asahi_icd*.json",
     .env = ENV_VK,
     .env_vars = {"AGX_MESA_DEBUG=shaders"},
     .tells_nir = true,
     .shim = "asahi"},
    {.name = "rusticl-radeonsi-%s",
     .suite = "sid",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=radeonsi"},
     .shim = "amdgpu",
     .chip_variable = "AMDGPU_GPU_ID",
     .chips = {{"navi31", "navi31"}}},
    {.name = "rusticl-radeonsi-llvm-%s",                                                   /* by LLVM's AMDGPU back end instead of ACO */
     .suite = "sid",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=radeonsi",
                  "AMD_DEBUG=usellvm"},
     .shim = "amdgpu",
     .chip_variable = "AMDGPU_GPU_ID",
     .chips = {{"navi31", "navi31"}}},
    {.name = "rusticl-freedreno-%s",
     .suite = "sid",
     .file = "etc/OpenCL/vendors/rusticl.icd",
     .env = ENV_CL,
     .env_vars = {"OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE=freedreno"},
     .shim = "freedreno",
     .chip_variable = "FD_GPU_ID",
     .chips = {{"a740", "740"}}},
    {.name = "igc-%s",
     .suite = "sid",
     .file = "usr/lib/*/libocloc.so",
     .env = ENV_CL,
     .api = "ocloc",
     .chips = {{"tgl", "tgl"}, {"dg2", "dg2"}, {"pvc", "pvc"}, {"bmg", "bmg"}, {"ptl", "ptl"}}},
};
/* clang-format on */

/* Let bwrap run the worker of a target in `root`, a file system of its own with the driver in
 * it. There the worker gets its own /tmp, in which its program is, and its own folder as /tmp/own.
 * `shim` names a library that stands in for the kernel's driver of a GPU. The library is in the
 * root, so it is preloaded for the worker and not for bwrap itself. */
static void set_root_launcher(struct target *t, const char *root, const char *shim, struct arena *a)
{
    const char *const words[] = {"bwrap",      "--die-with-parent",
                                 "--ro-bind",  root,
                                 "/",          "--dev",
                                 "/dev",       "--proc",
                                 "/proc",      "--ro-bind",
                                 "/sys",       "/sys",
                                 "--tmpfs",    "/tmp",
                                 "--bind",     "{own}",
                                 "/tmp/own",   "--ro-bind",
                                 t->worker,    "/tmp/halfulp-worker",
                                 "--chdir",    "/tmp/own",
                                 "--unsetenv", "LD_LIBRARY_PATH"};
    size_t n = 0;
    for (; n < ARRAY_N(words); n++) {
        t->launcher[n] = arena_printf(a, "%s", words[n]);
    }
    if (shim) {
        t->launcher[n++] = "--setenv";
        t->launcher[n++] = "LD_PRELOAD";
        t->launcher[n++] =
            arena_printf(a, "/usr/lib/x86_64-linux-gnu/lib%s_noop_drm_shim.so", shim);
    }
    if (t->is_sandboxed) {
        (void)sandbox_put_isolation(t->launcher + n);
    }
    t->worker = "/tmp/halfulp-worker";
    t->inner_tmp = "/tmp/own";
}

/* The first file of the root that fits, as the root has it, or NULL. */
static const char *find_in_root(const char *folder, const char *pattern, struct arena *a)
{
    glob_t found;
    const char *file = NULL;
    if (glob(arena_printf(a, "%s/%s", folder, pattern), 0, NULL, &found) == 0) {
        file = arena_printf(a, "%s", found.gl_pathv[0] + strlen(folder));
        globfree(&found);
    }
    return file;
}

/* The file of the row's driver as the root has it; NULL: the root has not that, or not the shim. */
static const char *find_root_driver(const char *folder, const struct root_row *row, struct arena *a)
{
    const char *const file = find_in_root(folder, row->file, a);
    if (!row->shim) {
        return file;
    }
    const char *const shim = arena_printf(a, "usr/lib/*/lib%s_noop_drm_shim.so", row->shim);
    return find_in_root(folder, shim, a) ? file : NULL;
}

/* The row's name, with that of the chip for its "%s". */
static const char *name_root_target(const struct root_row *row, size_t chip, struct arena *a)
{
    const char *const chip_name = row->chips[chip].name;
    int const n_stem = (int)strcspn(row->name, "%");
    return chip_name ? arena_printf(a, "%.*s%s", n_stem, row->name, chip_name) : row->name;
}

/* The variables of the driver `file`: how the loader finds it, those of the row, and what names the chip. */
static void set_root_variables(struct target *t, const struct root_row *row, size_t chip,
                               const char *file, struct arena *a)
{
    size_t n = 0;
    if (row->env == ENV_VK) {
        set_vulkan_icd(t, file, a);
        n = 2;
    }
    for (size_t i = 0; i < ARRAY_N(row->env_vars) && row->env_vars[i]; i++) {
        t->env_vars[n++] = row->env_vars[i];
    }
    if (row->chip_variable) {
        t->env_vars[n] = arena_printf(a, "%s=%s", row->chip_variable, row->chips[chip].value);
    }
}

/* Add the target of a row of root drivers, for chip number `chip` if the row has chips, or add it to the
 * missing ones. A row with a shim or an API of its own has a compiler and no device. */
static void find_root_target(struct target_list *l, const char *root, const struct root_row *row,
                             size_t chip, struct arena *a)
{
    const char *const folder = arena_printf(a, "%s/roots/%s", root, row->suite);
    const char *const name = name_root_target(row, chip, a);
    const char *const file = find_root_driver(folder, row, a);
    struct target *t = file ? targets_add(l, name, row->env, a) : NULL;
    if (!t) {
        add_missing(l, name, row->how ? row->how : MAKE_DRIVERS);
        return;
    }
    t->origin = "root";
    t->language = row->language;
    t->device = row->device ? row->device : "";
    t->like = row->like;
    t->package = arena_printf(a, "Debian suite %s", row->suite);
    bool const has_device = !row->shim && !row->api;
    t->values = has_device ? VALUES_DEVICE : row->tells_nir ? VALUES_NIR : VALUES_NONE;
    t->file_bytes = row->shim ? SHIM_FILE_BYTES : 0;
    t->as_limit_bytes = row->shim ? SHIM_AS_BYTES : 0;
    set_root_launcher(t, folder, row->shim, a);
    set_root_variables(t, row, chip, file, a);
    if (row->api) { /* the chip is a device to it */
        t->api = row->api;
        t->device = row->chips[chip].value;
    }
}

/* glslang makes a module of a case's text, which an honest simulated device runs: what is wrong is its doing. */
static void find_glslang(struct target_list *l, const char *root, struct arena *a)
{
    const char *const folder = arena_printf(a, "%s/roots/sid", root);
    bool const is_here = find_in_root(folder, "usr/bin/glslangValidator", a) != NULL;
    struct target *t = is_here ? targets_add(l, "glslang", ENV_VK, a) : NULL;
    if (!t) {
        add_missing(l, "glslang", MAKE_DRIVERS);
        return;
    }
    t->kind = TARGET_SIM;
    t->strategy = SIM_IEEE;
    t->fault = fault_plan_of(FAULT_NONE);
    t->language = LANGUAGE_GLSL;
    t->front_end = folder;
    t->on_request = 1;
    t->origin = "root";
}

/* The libraries that scripts/vendor_math.sh makes; of others that are in the folder nothing is known here. */
static const char *const library_names[] = {"ocml-gfx11",   "ocml-gfx90a",  "ocml-gfx8",
                                            "igc-math-bmg", "igc-math-pvc", "igc-math-tgl",
                                            "igc-math-dg2"};

/* Add each math library of the folder, then those that are missing. */
static void find_libraries(struct target_list *l, const char *root, struct arena *a)
{
    glob_t found;
    const char *const pattern = arena_printf(a, "%s/" LIBRARY_FOLDER "/*/library.so", root);
    size_t const n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < n; i++) {
        const char *const path = arena_printf(a, "%s", found.gl_pathv[i]);
        const char *const folder = path + strlen(root) + strlen("/" LIBRARY_FOLDER "/");
        const char *const name = arena_printf(a, "%.*s", (int)strcspn(folder, "/"), folder);
        struct target *const t = targets_add(l, name, ENV_CL, a);
        if (t) {
            t->api = "library";
            t->loader = path;
            t->is_library = true;
            t->on_request = 1;
            t->as_limit_bytes = CPU_DRIVER_AS_BYTES;
        }
    }
    if (n > 0) {
        globfree(&found);
    }
    for (size_t i = 0; i < ARRAY_N(library_names); i++) {
        if (!targets_find_name(l, library_names[i])) {
            add_missing(l, library_names[i], MAKE_LIBRARIES);
        }
    }
}

static void find_root(struct target_list *l, const char *root, const struct root_row *row,
                      struct arena *a)
{
    size_t chip = 0;
    do {
        find_root_target(l, root, row, chip, a);
        chip++;
    } while (chip < ROOT_CHIPS_MAX && row->chips[chip].name);
}

/* Find the targets of this machine: the drivers in known locations, then those of targets.ini,
 * or of `ini` if that is not NULL. What could be here and is not goes to out->missing. */
enum res targets_find(struct target_list *out, const char *ini, struct arena *a, struct err *e)
{
    memset(out, 0, sizeof(*out));
    TRY(sandbox_find(&out->has_sandbox, a, e));
    const char *root = targets_get_root(a);
    find_intel_cpu(out, root, a);
    find_lavapipe(out, a);
    find_swiftshader(out, root, a);
    for (size_t i = 0; i < ARRAY_N(instrumented_rows); i++) {
        find_instrumented(out, root, &instrumented_rows[i], a);
    }
    for (size_t i = 0; i < ARRAY_N(root_rows); i++) {
        find_root(out, root, &root_rows[i], a);
    }
    find_glslang(out, root, a);
    targets_add_sources(out, a);
    find_libraries(out, root, a);
    const char *const path = ini ? ini : place_find("targets.ini", a);
    if (!path) {
        return RES_OK;
    }
    const unsigned char *text = NULL;
    size_t n = 0;
    enum res const r = file_read(path, INI_MAX_BYTES, a, &text, &n, e);
    if (r == RES_IO) {
        e->code = RES_USAGE; /* the user named it */
        return RES_USAGE;
    }
    return r != RES_OK ? r : targets_parse_ini(out, path, (const char *)text, n, a, e);
}
