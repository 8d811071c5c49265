/* tests/rig/icd_ocl_bad.c -- an OpenCL driver that misbehaves on request, around a real one.
 *
 * Named in an .icd file, with HALFULP_BAD_REAL the path of the real driver's library and the
 * variables of bad_mode.h. It hands out the real platforms, after it has replaced a few entries of
 * their dispatch table (cl_khr_icd) by the functions below: every object of the real driver then
 * comes this way, with either loader. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "tests/rig/bad_mode.h"

enum {
    MAX_BUFFERS = 64,
    MAX_PLATFORMS = 8
};

/* A buffer that was created with content, and the first sub-buffer made of it. */
struct buffer {
    cl_mem memory;
    unsigned char *content;
    size_t n_bytes, start, n_inner_bytes;
};

/* A driver is loaded once, and has no other place for what it knows. */
static struct {
    void *library;
    cl_icd_dispatch real; /* as it was */
    cl_icd_dispatch *patched;
    unsigned long n_builds;
    struct buffer buffers[MAX_BUFFERS];
} bad;

/* Mode of the case that is running: its build is already counted. */
static enum bad_mode get_mode(void)
{
    return bad_get_mode(bad.n_builds - 1);
}

static struct buffer *find_buffer(cl_mem memory)
{
    for (unsigned i = 0; i < MAX_BUFFERS; i++) {
        if (bad.buffers[i].memory == memory) {
            return &bad.buffers[i];
        }
    }
    return NULL;
}

static cl_mem CL_API_CALL hook_create_buffer(cl_context context, cl_mem_flags flags, size_t n_bytes,
                                             void *content, cl_int *code)
{
    cl_mem const memory = bad.real.clCreateBuffer(context, flags, n_bytes, content, code);
    struct buffer *const b = find_buffer(NULL);
    if (memory && content && b) {
        b->memory = memory;
        b->n_bytes = n_bytes;
        b->n_inner_bytes = 0;
        b->content = malloc(n_bytes);
        if (b->content) {
            memcpy(b->content, content, n_bytes);
        }
    }
    return memory;
}

static cl_mem CL_API_CALL hook_create_sub_buffer(cl_mem memory, cl_mem_flags flags,
                                                 cl_buffer_create_type type, const void *region,
                                                 cl_int *code)
{
    struct buffer *const b = find_buffer(memory);
    if (b && b->n_inner_bytes == 0) {
        cl_buffer_region where;
        memcpy(&where, region, sizeof where);
        b->start = where.origin;
        b->n_inner_bytes = where.size;
    }
    return bad.real.clCreateSubBuffer(memory, flags, type, region, code);
}

static cl_int CL_API_CALL hook_release_memory(cl_mem memory)
{
    struct buffer *const b = memory ? find_buffer(memory) : NULL;
    if (b) {
        free(b->content);
        memset(b, 0, sizeof *b);
    }
    return bad.real.clReleaseMemObject(memory);
}

static cl_int CL_API_CALL hook_build(cl_program program, cl_uint n_devices,
                                     const cl_device_id *devices, const char *options,
                                     void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    bad.n_builds++;
    bad_strike_build(get_mode());
    if (get_mode() == BAD_ERROR_BUILD) {
        return CL_BUILD_PROGRAM_FAILURE;
    }
    return bad.real.clBuildProgram(program, n_devices, devices, options, notify, data);
}

/* Behind the first buffer that has a neighbour: as a kernel would that counts one too far. */
static void write_outside(cl_command_queue queue)
{
    uint32_t const word = 0;
    for (unsigned i = 0; i < MAX_BUFFERS; i++) {
        const struct buffer *const b = &bad.buffers[i];
        if (b->memory && b->n_inner_bytes > 0) {
            (void)bad.real.clEnqueueWriteBuffer(queue, b->memory, CL_TRUE,
                                                b->start + b->n_inner_bytes, sizeof word, &word, 0,
                                                NULL, NULL);
            return;
        }
    }
}

static cl_int CL_API_CALL hook_run(cl_command_queue queue, cl_kernel kernel, cl_uint n_dimensions,
                                   const size_t *offset, const size_t *global, const size_t *local,
                                   cl_uint n_events, const cl_event *events, cl_event *event)
{
    enum bad_mode const mode = get_mode();
    bad_strike_run(mode);
    if (mode == BAD_ERROR_RUN) {
        return CL_OUT_OF_RESOURCES;
    }
    if (mode == BAD_LOST) {
        return CL_DEVICE_NOT_AVAILABLE;
    }
    if (mode == BAD_LIE) {
        return bad.real.clEnqueueMarkerWithWaitList(queue, n_events, events, event);
    }
    cl_int const code = bad.real.clEnqueueNDRangeKernel(queue, kernel, n_dimensions, offset, global,
                                                        local, n_events, events, event);
    if (mode == BAD_OOB) {
        (void)bad.real.clFinish(queue);
        write_outside(queue);
    }
    return code;
}

static cl_int CL_API_CALL hook_read(cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
                                    size_t offset, size_t n_bytes, void *to, cl_uint n_events,
                                    const cl_event *events, cl_event *event)
{
    cl_int const code = bad.real.clEnqueueReadBuffer(queue, memory, is_blocking, offset, n_bytes,
                                                     to, n_events, events, event);
    struct buffer *const b = find_buffer(memory);
    bad_strike_answer(get_mode());
    if (get_mode() == BAD_FLIP && code == CL_SUCCESS && is_blocking && b && b->content &&
        offset == 0 && n_bytes == b->n_bytes) {
        if (bad_flip(to, b->content, n_bytes)) {
            for (unsigned i = 0; i < MAX_BUFFERS; i++) { /* one bit of the whole case */
                free(bad.buffers[i].content);
                bad.buffers[i].content = NULL;
            }
        }
    }
    return code;
}

/* Replace entries of the table that all objects of the real driver point to. */
static int patch(cl_platform_id platform)
{
    cl_icd_dispatch *table = NULL;
    memcpy(&table, platform, sizeof table); /* first member of every object, by cl_khr_icd */
    if (table == bad.patched) {
        return 1;
    }
    if (bad.patched) {
        return 0; /* a second table: not a driver that this one understands */
    }
    uintptr_t const page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t const first = (uintptr_t)table / page * page;
    uintptr_t const end = (uintptr_t)table + sizeof *table;
    char *const start = (char *)table - ((uintptr_t)table - first);
    if (mprotect(start, end - first, PROT_READ | PROT_WRITE) != 0) {
        return 0;
    }
    bad.real = *table;
    bad.patched = table;
    table->clCreateBuffer = hook_create_buffer;
    table->clCreateSubBuffer = hook_create_sub_buffer;
    table->clReleaseMemObject = hook_release_memory;
    table->clBuildProgram = hook_build;
    table->clEnqueueNDRangeKernel = hook_run;
    table->clEnqueueReadBuffer = hook_read;
    return 1;
}

typedef void *(CL_API_CALL *get_address_fn)(const char *name);

/* A function of the real driver by name, NULL when it cannot be had. */
static void *get_real(const char *name)
{
    const char *const path = getenv("HALFULP_BAD_REAL");
    get_address_fn get_address = NULL;
    if (!bad.library && path) {
        bad.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!bad.library) {
        (void)fprintf(stderr, "icd_ocl_bad: HALFULP_BAD_REAL: %s\n", path ? dlerror() : "not set");
        return NULL;
    }
    void *const p = dlsym(bad.library, "clGetExtensionFunctionAddress");
    memcpy(&get_address, &p, sizeof p);
    return get_address ? get_address(name) : NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n_max, cl_platform_id *platforms,
                                                       cl_uint *n)
{
    typedef cl_int(CL_API_CALL * get_platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);
    get_platforms_fn get_platforms = NULL;
    cl_platform_id all[MAX_PLATFORMS];
    cl_uint n_all = 0;
    void *const p = get_real("clIcdGetPlatformIDsKHR");
    memcpy(&get_platforms, &p, sizeof p);
    if (!get_platforms || get_platforms(MAX_PLATFORMS, all, &n_all) != CL_SUCCESS) {
        return CL_PLATFORM_NOT_FOUND_KHR;
    }
    for (cl_uint i = 0; i < n_all && i < MAX_PLATFORMS; i++) {
        if (!patch(all[i])) {
            return CL_PLATFORM_NOT_FOUND_KHR;
        }
        if (platforms && i < n_max) {
            platforms[i] = all[i];
        }
    }
    if (n) {
        *n = n_all;
    }
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    cl_int(CL_API_CALL *const own)(cl_uint, cl_platform_id *, cl_uint *) = clIcdGetPlatformIDsKHR;
    void *p = NULL;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) {
        memcpy(&p, &own, sizeof p);
        return p;
    }
    return get_real(name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                                  size_t n_bytes, void *value, size_t *n_value)
{
    return bad.patched ? bad.real.clGetPlatformInfo(platform, name, n_bytes, value, n_value)
                       : CL_INVALID_PLATFORM;
}
