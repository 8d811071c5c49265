/* fuzz/worker/drv_ocl_facts.c -- what an OpenCL device says of itself, as facts. */
#include "fuzz/worker/drv_ocl_facts.h"

#include <stdio.h>
#include <string.h>

#include "fuzz/worker/cl_float_atomics.h"
#include "fuzz/worker/drv_common.h"

/* Entries of a list that a device answers: far more than any has. */
enum {
    OCL_MAX_LIST = 512
};

static const struct {
    const char *key;
    cl_device_info name;
} ocl_numbers[] = {
    {"cl.fp16_config",          CL_DEVICE_HALF_FP_CONFIG                        },
    {"cl.fp32_config",          CL_DEVICE_SINGLE_FP_CONFIG                      },
    {"cl.fp64_config",          CL_DEVICE_DOUBLE_FP_CONFIG                      },
    {"cl.fatomic16",            CL_HALF_FP_ATOMICS                              },
    {"cl.fatomic32",            CL_SINGLE_FP_ATOMICS                            },
    {"cl.fatomic64",            CL_DOUBLE_FP_ATOMICS                            },
    {"cl.max_subgroups",        CL_DEVICE_MAX_NUM_SUB_GROUPS                    },
    {"cl.max_wg",               CL_DEVICE_MAX_WORK_GROUP_SIZE                   },
    {"cl.local_mem",            CL_DEVICE_LOCAL_MEM_SIZE                        },
    {"cl.mem_align",            CL_DEVICE_MEM_BASE_ADDR_ALIGN                   },
    {"cl.address_bits",         CL_DEVICE_ADDRESS_BITS                          },
    {"cl.svm",                  CL_DEVICE_SVM_CAPABILITIES                      },
    {"cl.dot",                  CL_DOT_CAPABILITIES                             },
    {"cl.subgroup_independent", CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS},
};

/* Properties that OpenCL 3.0 made optional; 2.x has all of them without saying so. */
static const struct {
    const char *key;
    cl_device_info name;
    uint64_t in_2x;
} ocl_optional[] = {
    {"cl.atomic_memory",  CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,              0x7f},
    {"cl.atomic_fence",   CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,               0x7f},
    {"cl.generic",        CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,           1   },
    {"cl.nonuniform_wg",  CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,          1   },
    {"cl.wg_collectives", CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, 1   },
};

/* Of the embedded profile an extension says whether a device has integers of 64 bits. */
static bool has_int64(const struct drv *d, struct arena *a)
{
    const char *const profile = ocl_get_device_text(&d->cl, d->device, CL_DEVICE_PROFILE, a);
    const char *const extensions = ocl_get_device_text(&d->cl, d->device, CL_DEVICE_EXTENSIONS, a);
    return !strstr(profile, "EMBEDDED") || strstr(extensions, "cles_khr_int64");
}

/* "OpenCL M.m ..." as 0xMMmm00; 0 when it is not of that form. */
static unsigned parse_version(const char *text)
{
    unsigned major = 0, minor = 0;
    if (sscanf(text, "OpenCL %u.%u", &major, &minor) != 2 || major > 255 || minor > 255) {
        return 0;
    }
    return major << 16 | minor << 8;
}

/* Newest of "SPIR-V_M.m SPIR-V_M.m ..." as 0xMMmm00. */
static unsigned parse_il_max(const char *text)
{
    unsigned best = 0;
    for (const char *p = strstr(text, "SPIR-V_"); p; p = strstr(p + 1, "SPIR-V_")) {
        unsigned major = 0, minor = 0;
        if (sscanf(p, "SPIR-V_%u.%u", &major, &minor) == 2 && major < 256 && minor < 256) {
            unsigned const version = major << 16 | minor << 8;
            best = version > best ? version : best;
        }
    }
    return best;
}

/* A list property of n entries of entry_bytes in `a`; NULL and 0 when there is none. */
static const void *get_list(const struct drv *d, cl_device_info name, size_t entry_bytes,
                            struct arena *a, size_t *n)
{
    size_t n_bytes = 0;
    *n = 0;
    if (d->cl.clGetDeviceInfo(d->device, name, 0, NULL, &n_bytes) != CL_SUCCESS || n_bytes == 0 ||
        n_bytes > entry_bytes * OCL_MAX_LIST) {
        return NULL;
    }
    void *const list = arena_take(a, n_bytes);
    if (!list || d->cl.clGetDeviceInfo(d->device, name, n_bytes, list, NULL) != CL_SUCCESS) {
        return NULL;
    }
    *n = n_bytes / entry_bytes;
    return list;
}

/* Append "word " to the text of at most n_text bytes; a word that does not fit is left out. */
static void add_word(char *text, size_t n_text, const char *word)
{
    size_t const used = strlen(text);
    if (used + strlen(word) + 2 <= n_text) {
        (void)snprintf(text + used, n_text - used, "%s ", word);
    }
}

static void put_names(const struct drv *d, const char *key, cl_device_info name, struct arena *a,
                      struct bytes *b)
{
    char text[16384] = "";
    size_t n = 0;
    const char *const *const names = get_list(d, name, sizeof(char *), a, &n);
    for (size_t i = 0; i < n; i++) {
        add_word(text, sizeof text, names[i]);
    }
    if (n > 0) {
        drv_put_fact(b, key, "%s", text);
    }
}

static void put_capabilities(const struct drv *d, struct arena *a, struct bytes *b)
{
    char text[8192] = "";
    size_t n = 0;
    const cl_uint *const numbers = get_list(d, CL_SPIRV_CAPABILITIES, sizeof(cl_uint), a, &n);
    for (size_t i = 0; i < n; i++) {
        char word[16];
        (void)snprintf(word, sizeof word, "%u", numbers[i]);
        add_word(text, sizeof text, word);
    }
    if (n > 0) {
        drv_put_fact(b, "cl.spirv_caps", "%s", text);
    }
}

/* The sizes that a kernel may require of its sub-groups (cl_intel_required_subgroup_size). */
static void put_subgroup_sizes(const struct drv *d, struct arena *a, struct bytes *b)
{
    char text[256] = "";
    size_t n = 0;
    const size_t *const sizes = get_list(d, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(size_t), a, &n);
    for (size_t i = 0; i < n; i++) {
        char word[24];
        (void)snprintf(word, sizeof word, "%zu", sizes[i]);
        add_word(text, sizeof text, word);
    }
    if (n > 0) {
        drv_put_fact(b, "cl.subgroup_sizes", "%s", text);
    }
}

/* The newest OpenCL C that can be asked for, as 0xMMmm00; 0: no compiler, or none that says so. */
static unsigned find_c_max(const struct drv *d, struct arena *a)
{
    unsigned best = 0;
    size_t n = 0;
    const cl_name_version *const versions =
        get_list(d, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof(cl_name_version), a, &n);
    for (size_t i = 0; i < n; i++) {
        unsigned const version = CL_VERSION_MAJOR(versions[i].version) << 16 |
                                 CL_VERSION_MINOR(versions[i].version) << 8;
        best = version > best ? version : best;
    }
    return best;
}

static void put_c_features(const struct drv *d, struct arena *a, struct bytes *b)
{
    char text[16384] = "";
    size_t n = 0;
    const cl_name_version *const features =
        get_list(d, CL_DEVICE_OPENCL_C_FEATURES, sizeof(cl_name_version), a, &n);
    for (size_t i = 0; i < n; i++) {
        if (memchr(features[i].name, 0, sizeof features[i].name)) {
            add_word(text, sizeof text, features[i].name);
        }
    }
    if (n > 0) {
        drv_put_fact(b, "cl.c_features", "%s", text);
    }
}

static void put_numbers(const struct drv *d, unsigned version, struct bytes *b)
{
    for (size_t i = 0; i < ARRAY_N(ocl_numbers); i++) {
        uint64_t const value = ocl_get_number(&d->cl, d->device, ocl_numbers[i].name);
        if (value) {
            drv_put_fact(b, ocl_numbers[i].key, "0x%llx", (unsigned long long)value);
        }
    }
    for (size_t i = 0; i < ARRAY_N(ocl_optional); i++) {
        uint64_t value = ocl_get_number(&d->cl, d->device, ocl_optional[i].name);
        if (version >= 0x20000 && version < 0x30000) {
            value = ocl_optional[i].in_2x;
        }
        if (value) {
            drv_put_fact(b, ocl_optional[i].key, "0x%llx", (unsigned long long)value);
        }
    }
}

/* Write down the facts of an OpenCL device as "key=value" lines: who made it, its versions, and all that rows of
 * caps.def ask for. What depends on a function that the driver lacks (create_il) gives no fact. NULL: no memory. */
const char *ocl_describe(const struct drv *d, struct arena *a)
{
    struct bytes b;
    const char *const version = ocl_get_device_text(&d->cl, d->device, CL_DEVICE_VERSION, a);
    const char *const il = ocl_get_device_text(&d->cl, d->device, CL_DEVICE_IL_VERSION, a);
    unsigned const number = parse_version(version);
    bytes_init(&b, a);
    drv_put_fact(&b, "api", "opencl");
    drv_put_fact(&b, "device", "%s", ocl_get_device_text(&d->cl, d->device, CL_DEVICE_NAME, a));
    drv_put_fact(&b, "vendor", "%s", ocl_get_device_text(&d->cl, d->device, CL_DEVICE_VENDOR, a));
    drv_put_fact(&b, "driver", "%s", ocl_get_device_text(&d->cl, d->device, CL_DRIVER_VERSION, a));
    drv_put_fact(&b, "version", "%s", version);
    drv_put_fact(&b, "platform", "%s",
                 ocl_get_platform_text(&d->cl, d->platform, CL_PLATFORM_NAME, a));
    drv_put_fact(&b, "platform_version", "%s",
                 ocl_get_platform_text(&d->cl, d->platform, CL_PLATFORM_VERSION, a));
    drv_put_fact(&b, "cl.version", "0x%x", number);
    drv_put_fact(&b, "cl.ext", "%s",
                 ocl_get_device_text(&d->cl, d->device, CL_DEVICE_EXTENSIONS, a));
    drv_put_fact(&b, "cl.int64", has_int64(d, a) ? "1" : "0");
    if (d->cl.create_il) {
        drv_put_fact(&b, "cl.il", "%s", il);
        drv_put_fact(&b, "cl.il_max", "0x%x", parse_il_max(il));
    }
    if (d->cl.create_il && d->cl.specialize) {
        drv_put_fact(&b, "cl.specialization", "1");
    }
    if (ocl_get_number(&d->cl, d->device, CL_DEVICE_COMPILER_AVAILABLE)) {
        drv_put_fact(&b, "cl.c_max", "0x%x", find_c_max(d, a));
    }
    put_numbers(d, number, &b);
    put_c_features(d, a, &b);
    if (strstr(
            ocl_get_device_text(&d->cl, d->device, CL_DEVICE_EXTENSIONS, a),
            "cl_intel_required_subgroup_size")) { /* drivers without it answer as well, but the answer means nothing */
        put_subgroup_sizes(d, a, &b);
    }
    put_capabilities(d, a, &b);
    put_names(d, "cl.spirv_ext", CL_SPIRV_EXTENSIONS, a, &b);
    put_names(d, "cl.spirv_sets", CL_SPIRV_SETS, a, &b);
    return drv_end_text(&b);
}
