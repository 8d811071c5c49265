/* fuzz/worker/drv_ocl.c -- OpenCL: loader, choice of the device, context and queue. */
#include "fuzz/worker/drv_ocl.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/worker/drv_common.h"
#include "fuzz/worker/drv_ocl_device.h"
#include "fuzz/worker/drv_ocl_facts.h"
#include "fuzz/worker/drv_ocl_run.h"
#include "fuzz/worker/drv_ocl_stream.h"

/* Load the OpenCL loader, the named one or the system's, and find the functions that we call, into d->cl.
 * RES_USAGE: one is missing. */
static enum res load_functions(struct drv *d, const char *loader, struct err *e)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    static const struct {
        const char *name;
        size_t offset;
    } table[] = {
#define F(name) {#name, offsetof(struct ocl_functions, name)},
        OCL_FUNCTIONS(F)
#undef F
    };
    TRY(drv_load(loader, names, &d->library, e));
    for (size_t i = 0; i < ARRAY_N(table); i++) {
        void *const p = dlsym(d->library, table[i].name);
        if (!p) {
            return err_set(e, RES_USAGE, "OpenCL loader has no %s", table[i].name);
        }
        memcpy((char *)&d->cl + table[i].offset, &p, sizeof p);
    }
    return RES_OK;
}

/* "PLATFORM: DEVICE", what --device is looked for in. */
static const char *name_device(const struct ocl_functions *cl, cl_platform_id platform,
                               cl_device_id device, struct arena *a)
{
    return arena_printf(a, "%s: %s", ocl_get_platform_text(cl, platform, CL_PLATFORM_NAME, a),
                        ocl_get_device_text(cl, device, CL_DEVICE_NAME, a));
}

/* Append a line about each OpenCL device to `list`, and choose as *d the first device whose name
 * contains `select`; each name contains "". Platforms without devices are skipped. */
static void visit_devices(struct drv *d, const char *select, struct arena *a, struct bytes *list)
{
    cl_platform_id platforms[OCL_MAX_PLATFORMS];
    cl_uint n_platforms = 0;
    if (d->cl.clGetPlatformIDs(OCL_MAX_PLATFORMS, platforms, &n_platforms) != CL_SUCCESS) {
        return;
    }
    for (cl_uint i = 0; i < n_platforms && i < OCL_MAX_PLATFORMS; i++) {
        cl_device_id devices[OCL_MAX_DEVICES];
        cl_uint n_devices = 0;
        if (d->cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, OCL_MAX_DEVICES, devices,
                                 &n_devices) != CL_SUCCESS) {
            continue;
        }
        for (cl_uint k = 0; k < n_devices && k < OCL_MAX_DEVICES; k++) {
            const char *const name = name_device(&d->cl, platforms[i], devices[k], a);
            const char *const il = ocl_get_device_text(&d->cl, devices[k], CL_DEVICE_IL_VERSION, a);
            drv_put_device(list, name,
                           ocl_get_device_text(&d->cl, devices[k], CL_DRIVER_VERSION, a),
                           strstr(il, "SPIR-V") != NULL);
            if (!d->device && strstr(name, select)) {
                d->platform = platforms[i];
                d->device = devices[k];
            }
        }
    }
}

/* The function that takes SPIR-V: of the core from OpenCL 2.1 on, else of cl_khr_il_program. And the one that sets
 * specialization constants, of 2.2. */
static void find_create_il(struct drv *d, struct arena *a)
{
    static const char prefix[] = "OpenCL "; /* M.m */
    size_t const n_prefix = sizeof prefix - 1;
    const char *const version = ocl_get_device_text(&d->cl, d->device, CL_DEVICE_VERSION, a);
    bool const is_core =
        strlen(version) >= n_prefix + 3 && strncmp(version + n_prefix, "2.1", 3) >= 0;
    void *p = is_core ? dlsym(d->library, "clCreateProgramWithIL") : NULL;
    if (!p) {
        p = d->cl.clGetExtensionFunctionAddressForPlatform(d->platform, "clCreateProgramWithILKHR");
    }
    memcpy(&d->cl.create_il, &p, sizeof p);
    bool const has_specs =
        strlen(version) >= n_prefix + 3 && strncmp(version + n_prefix, "2.2", 3) >= 0;
    p = has_specs ? dlsym(d->library, "clSetProgramSpecializationConstant") : NULL;
    memcpy(&d->cl.specialize, &p, sizeof p);
}

/* Find the functions of shared virtual memory if the target asks for that. RES_USAGE: the device
 * has no such memory that host and device may access by atomics at the same time. */
static enum res find_svm(struct drv *d, struct err *e)
{
    const char *const memory = getenv(OCL_MEMORY);
    uint64_t const needs = CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
    if (!memory || strcmp(memory, "buffer") == 0) {
        return RES_OK;
    }
    if (strcmp(memory, "svm") != 0) {
        return err_set(e, RES_USAGE, OCL_MEMORY "=%.40s: svm or buffer is needed", memory);
    }
    void *const alloc = dlsym(d->library, "clSVMAlloc"),
                *const release = dlsym(d->library, "clSVMFree"),
                *const set = dlsym(d->library, "clSetKernelArgSVMPointer");
    uint64_t const has = ocl_get_number(&d->cl, d->device, CL_DEVICE_SVM_CAPABILITIES);
    if (!alloc || !release || !set || (has & needs) != needs) {
        return err_set(e, RES_USAGE,
                       OCL_MEMORY
                       "=svm: the device lists no fine-grained shared virtual memory with atomics"
                       " (CL_DEVICE_SVM_CAPABILITIES is 0x%llx)",
                       (unsigned long long)has);
    }
    memcpy(&d->cl.svm_alloc, &alloc, sizeof alloc);
    memcpy(&d->cl.svm_free, &release, sizeof release);
    memcpy(&d->cl.set_svm_arg, &set, sizeof set);
    return RES_OK;
}

static void ocl_close(struct drv *d)
{
    if (d->queue) {
        (void)d->cl.clReleaseCommandQueue(d->queue);
    }
    if (d->context) {
        (void)d->cl.clReleaseContext(d->context);
    }
    /* The loader stays: unloading drivers that own threads is their weakest spot, and not ours. */
}

/* What the device allows of buffers and work-groups, with our own values where it does not answer. */
static void find_limits(struct drv *d)
{
    enum {
        LEAST_ALIGN_BYTES = 64
    };
    size_t sizes[8] = {0}; /* of more than three dimensions the rest is of no use */
    uint64_t const align_bits = ocl_get_number(&d->cl, d->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    d->align_bytes = align_bits >= LEAST_ALIGN_BYTES * CHAR_BIT ? (size_t)align_bits / CHAR_BIT
                                                                : LEAST_ALIGN_BYTES;
    d->max_group_items = (size_t)ocl_get_number(&d->cl, d->device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    int const is_told = d->cl.clGetDeviceInfo(d->device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
                                              sizeof sizes, sizes, NULL) == CL_SUCCESS;
    for (unsigned i = 0; i < 3; i++) {
        d->max_sizes[i] = is_told ? sizes[i] : d->max_group_items;
    }
}

/* Open the OpenCL device that `select` names: *out gets its context and queue, *facts what the
 * device says of itself. RES_USAGE: there is no such device, or it does not open. */
static enum res ocl_open(const char *loader, const char *select, struct arena *a, struct drv **out,
                         const char **facts, struct err *e)
{
    struct drv *const d = ARENA_NEW(a, struct drv, 1);
    struct bytes list;
    if (!d) {
        return err_set(e, RES_NOMEM, "no room for a device");
    }
    TRY(load_functions(d, loader, e));
    bytes_init(&list, a);
    visit_devices(d, select, a, &list);
    const char *const names = drv_end_text(&list);
    if (!d->device) {
        return err_set(e, RES_USAGE, "no OpenCL device named \"%s\"; there is: %s", select,
                       names && names[0] ? names : "none");
    }
    find_create_il(d, a);
    TRY(find_svm(d, e));
    cl_int code = CL_SUCCESS;
    d->context = d->cl.clCreateContext(NULL, 1, &d->device, NULL, NULL, &code);
    if (!d->context) {
        return err_set(e, RES_USAGE, "clCreateContext: %s (%d)", ocl_error_name(code), code);
    }
    d->queue = d->cl.clCreateCommandQueue(d->context, d->device, 0, &code);
    if (!d->queue) {
        ocl_close(d);
        return err_set(e, RES_USAGE, "clCreateCommandQueue: %s (%d)", ocl_error_name(code), code);
    }
    find_limits(d);
    *facts = ocl_describe(d, a);
    if (!*facts) {
        ocl_close(d);
        return err_set(e, RES_NOMEM, "no room for the device's facts");
    }
    *out = d;
    return RES_OK;
}

static enum res ocl_list(const char *loader, struct arena *a, const char **out, struct err *e)
{
    struct drv d;
    struct bytes list;
    memset(&d, 0, sizeof d);
    TRY(load_functions(&d, loader, e));
    bytes_init(&list, a);
    visit_devices(&d, "", a, &list);
    *out = drv_end_text(&list);
    return *out ? RES_OK : err_set(e, RES_NOMEM, "no room for the list of devices");
}

const struct drv_api drv_ocl = {.name = "opencl",
                                .open = ocl_open,
                                .run = ocl_run,
                                .close = ocl_close,
                                .stream_open = ocl_stream_open,
                                .stream_run = ocl_stream_run,
                                .stream_close = ocl_stream_close,
                                .list = ocl_list};
