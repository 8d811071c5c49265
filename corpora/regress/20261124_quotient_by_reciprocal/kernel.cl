#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel void main_kernel(__global ulong *b0, __global double *b1, __global float *b2, __global float *b3, __global ulong *b4, __global ulong *b5)
{
    uint v28 = ((uint)get_global_id(1) * 32u) + (uint)get_global_id(0);
    ulong v60 = b4[v28];
    b5[v28] = as_ulong(as_double(v60) / 0x1.5bdae8cb50d09p-1);
    return;
}

