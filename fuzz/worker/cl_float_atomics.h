/* fuzz/worker/cl_float_atomics.h -- enumerants that the OpenCL headers of Debian 12 (2023.02) lack. */
#pragma once

/* cl_ext_float_atomics, "New API Enums": the `param_name` of clGetDeviceInfo, answering a
 * cl_device_fp_atomic_capabilities_ext (cl_bitfield): bits 0-2 load/store, add, min/max in global
 * memory, bits 16-18 the same in local memory. */
enum {
    CL_SINGLE_FP_ATOMICS = 0x4231, /* CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT */
    CL_DOUBLE_FP_ATOMICS = 0x4232, /* CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT */
    CL_HALF_FP_ATOMICS = 0x4233    /* CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT */
};

/* cl_khr_spirv_queries: what the device takes in SPIR-V, (const char *)[] and cl_uint[]. */
enum {
    CL_SPIRV_SETS = 0x12B9,        /* CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR */
    CL_SPIRV_EXTENSIONS = 0x12BA,  /* CL_DEVICE_SPIRV_EXTENSIONS_KHR */
    CL_DOT_CAPABILITIES = 0x1073,  /* CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR */
    CL_SPIRV_CAPABILITIES = 0x12BB /* CL_DEVICE_SPIRV_CAPABILITIES_KHR */
};
