/* fuzz/worker/drv_ocl_device.c -- OpenCL: what a device says of itself, errors by name, the log of a build. */
#include "fuzz/worker/drv_ocl_device.h"

/* A build log beyond this says nothing more. */
enum {
    OCL_MAX_LOG_BYTES = 64 << 10
};

const char *ocl_get_device_text(const struct ocl_functions *cl, cl_device_id device,
                                cl_device_info name, struct arena *a)
{
    size_t n = 0;
    if (cl->clGetDeviceInfo(device, name, 0, NULL, &n) != CL_SUCCESS || n == 0) {
        return "";
    }
    char *const text = arena_take(a, n + 1);
    if (!text || cl->clGetDeviceInfo(device, name, n, text, NULL) != CL_SUCCESS) {
        return "";
    }
    return text;
}

const char *ocl_get_platform_text(const struct ocl_functions *cl, cl_platform_id platform,
                                  cl_platform_info name, struct arena *a)
{
    size_t n = 0;
    if (cl->clGetPlatformInfo(platform, name, 0, NULL, &n) != CL_SUCCESS || n == 0) {
        return "";
    }
    char *const text = arena_take(a, n + 1);
    if (!text || cl->clGetPlatformInfo(platform, name, n, text, NULL) != CL_SUCCESS) {
        return "";
    }
    return text;
}

uint64_t ocl_get_number(const struct ocl_functions *cl, cl_device_id device, cl_device_info name)
{
    unsigned char bytes[8] = {0};
    size_t n = 0;
    if (cl->clGetDeviceInfo(device, name, sizeof bytes, bytes, &n) != CL_SUCCESS || n > 8) {
        return 0;
    }
    return load_le(bytes, 8);
}

/* The name of an OpenCL error code, or "error" for a code that is not in the table; callers show the number too. */
const char *ocl_error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } table[] = {
#define E(name) {name, #name}
        E(CL_DEVICE_NOT_FOUND),
        E(CL_DEVICE_NOT_AVAILABLE),
        E(CL_COMPILER_NOT_AVAILABLE),
        E(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        E(CL_OUT_OF_RESOURCES),
        E(CL_OUT_OF_HOST_MEMORY),
        E(CL_BUILD_PROGRAM_FAILURE),
        E(CL_MISALIGNED_SUB_BUFFER_OFFSET),
        E(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        E(CL_COMPILE_PROGRAM_FAILURE),
        E(CL_LINK_PROGRAM_FAILURE),
        E(CL_INVALID_VALUE),
        E(CL_INVALID_DEVICE),
        E(CL_INVALID_CONTEXT),
        E(CL_INVALID_COMMAND_QUEUE),
        E(CL_INVALID_MEM_OBJECT),
        E(CL_INVALID_BINARY),
        E(CL_INVALID_BUILD_OPTIONS),
        E(CL_INVALID_PROGRAM),
        E(CL_INVALID_PROGRAM_EXECUTABLE),
        E(CL_INVALID_KERNEL_NAME),
        E(CL_INVALID_KERNEL_DEFINITION),
        E(CL_INVALID_KERNEL),
        E(CL_INVALID_ARG_INDEX),
        E(CL_INVALID_ARG_VALUE),
        E(CL_INVALID_ARG_SIZE),
        E(CL_INVALID_KERNEL_ARGS),
        E(CL_INVALID_WORK_DIMENSION),
        E(CL_INVALID_WORK_GROUP_SIZE),
        E(CL_INVALID_WORK_ITEM_SIZE),
        E(CL_INVALID_GLOBAL_OFFSET),
        E(CL_INVALID_OPERATION),
        E(CL_INVALID_BUFFER_SIZE),
        E(CL_INVALID_GLOBAL_WORK_SIZE),
#undef E
    };
    for (size_t i = 0; i < ARRAY_N(table); i++) {
        if (table[i].code == code) {
            return table[i].name;
        }
    }
    return "error";
}

const char *ocl_get_build_log(const struct drv *d, cl_program program, struct arena *a)
{
    size_t n = 0;
    if (d->cl.clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) !=
            CL_SUCCESS ||
        n == 0) {
        return "";
    }
    char *const log = arena_take(a, n + 1);
    if (!log || d->cl.clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, n, log,
                                            NULL) != CL_SUCCESS) {
        return "";
    }
    log[n < OCL_MAX_LOG_BYTES ? n : OCL_MAX_LOG_BYTES] = 0;
    return log;
}

/* A kernel may have failed though waiting for it succeeds: the event's state is then the error. */
static cl_int take_state(const struct drv *d, cl_event event)
{
    cl_int state = CL_COMPLETE;
    bool const is_told = d->cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof state, &state, NULL) == CL_SUCCESS;
    (void)d->cl.clReleaseEvent(event);
    return is_told && state < 0 ? state : CL_SUCCESS;
}

/* Run a kernel over the ranges, one after another, and wait for its end. The code is CL_SUCCESS,
 * or the first error; *call is then the step that gave it. Three steps can fail: enqueuing a range,
 * waiting for the queue, and the execution of a range, which its event tells. */
cl_int ocl_run_kernel(const struct drv *d, cl_kernel kernel, cl_uint n_dims,
                      const struct ocl_range *ranges, uint32_t n_ranges, const char **call)
{
    cl_event events[CASE_MAX_DISPATCHES];
    cl_int code = CL_SUCCESS;
    uint32_t n = 0;
    *call = "clEnqueueNDRangeKernel";
    for (; n < n_ranges && code == CL_SUCCESS; n += code == CL_SUCCESS) {
        const struct ocl_range *const r = &ranges[n];
        /* an offset of NULL is 0, where a single range begins */
        code =
            d->cl.clEnqueueNDRangeKernel(d->queue, kernel, n_dims, n_ranges > 1 ? r->offset : NULL,
                                         r->global, r->local, 0, NULL, &events[n]);
    }
    if (n > 0) {
        cl_int const finished = d->cl.clFinish(d->queue);
        *call = code == CL_SUCCESS ? "clFinish" : *call;
        code = code == CL_SUCCESS ? finished : code;
    }
    for (uint32_t i = 0; i < n; i++) {
        cl_int const state = take_state(d, events[i]);
        *call = code == CL_SUCCESS ? "execution status" : *call;
        code = code == CL_SUCCESS ? state : code;
    }
    return code;
}
