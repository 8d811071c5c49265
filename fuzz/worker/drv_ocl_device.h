/* fuzz/worker/drv_ocl_device.h -- inside of the OpenCL driver: the one place that includes CL/. */
#pragma once

#define CL_TARGET_OPENCL_VERSION          300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS 1 /* clCreateCommandQueue: every version has it */
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base/testcase.h"

/* The functions that are called; loaded by name. */
#define OCL_FUNCTIONS(F)                                                                           \
    F(clGetPlatformIDs)                                                                            \
    F(clGetPlatformInfo)                                                                           \
    F(clGetDeviceIDs)                                                                              \
    F(clGetDeviceInfo)                                                                             \
    F(clCreateContext)                                                                             \
    F(clReleaseContext)                                                                            \
    F(clCreateCommandQueue)                                                                        \
    F(clReleaseCommandQueue)                                                                       \
    F(clCreateProgramWithSource)                                                                   \
    F(clCompileProgram)                                                                            \
    F(clBuildProgram)                                                                              \
    F(clGetProgramBuildInfo)                                                                       \
    F(clReleaseProgram)                                                                            \
    F(clCreateKernel)                                                                              \
    F(clReleaseKernel)                                                                             \
    F(clGetKernelWorkGroupInfo)                                                                    \
    F(clSetKernelArg)                                                                              \
    F(clCreateBuffer)                                                                              \
    F(clCreateSubBuffer)                                                                           \
    F(clReleaseMemObject)                                                                          \
    F(clEnqueueNDRangeKernel)                                                                      \
    F(clEnqueueReadBuffer)                                                                         \
    F(clGetEventInfo)                                                                              \
    F(clReleaseEvent)                                                                              \
    F(clFinish)                                                                                    \
    F(clGetExtensionFunctionAddressForPlatform)

struct ocl_functions {
#define F(name) __typeof__(name) *name;
    OCL_FUNCTIONS(F)
#undef F
    __typeof__(clSetProgramSpecializationConstant) *specialize; /* of 2.2; may be NULL */
    clCreateProgramWithILKHR_fn create_il; /* core of 2.1, else of cl_khr_il_program; may be NULL */
    /* Of shared virtual memory (2.0); NULL: buffers are memory objects. */
    __typeof__(clSVMAlloc) *svm_alloc;
    __typeof__(clSVMFree) *svm_free;
    __typeof__(clSetKernelArgSVMPointer) *set_svm_arg;
};

struct ocl_stream; /* fuzz/worker/drv_ocl_stream.c */

/* The environment's variable that says where a kernel's buffers are: "buffer", memory objects, or "svm",
 * fine-grained shared virtual memory. */
#define OCL_MEMORY "HALFULP_MEMORY"

enum {
    OCL_MAX_PLATFORMS = 16,
    OCL_MAX_DEVICES = 64
};

struct drv {
    void *library;
    struct ocl_functions cl;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    size_t align_bytes;        /* of a sub-buffer's origin */
    size_t max_group_items;    /* of a work-group */
    size_t max_sizes[3];       /* of a work-group, by dimension */
    struct ocl_stream *stream; /* the one that is open, or NULL */
};

/* A string property, in `a`; "" when the query fails. */
const char *ocl_get_device_text(const struct ocl_functions *cl, cl_device_id device,
                                cl_device_info name, struct arena *a);
const char *ocl_get_platform_text(const struct ocl_functions *cl, cl_platform_id platform,
                                  cl_platform_info name, struct arena *a);
/* A numeric property of up to 8 bytes; 0 when the query fails. */
uint64_t ocl_get_number(const struct ocl_functions *cl, cl_device_id device, cl_device_info name);

/* Name of an OpenCL error code, or "error". */
const char *ocl_error_name(cl_int code);
/* The log of a program's build in `a`, cut; "" when there is none. */
const char *ocl_get_build_log(const struct drv *d, cl_program program, struct arena *a);
/* What one command runs a kernel over. Where it is the only one, it has no offset. */
struct ocl_range {
    size_t offset[3], global[3];
    const size_t *local; /* NULL: the driver's choice */
};
/* Run the kernel over n_ranges (1 to CASE_MAX_DISPATCHES), one behind the other, and wait for the end. The first error's
 * code, and in *call what gave it; or CL_SUCCESS. */
cl_int ocl_run_kernel(const struct drv *d, cl_kernel kernel, cl_uint n_dims,
                      const struct ocl_range *ranges, uint32_t n_ranges, const char **call);
