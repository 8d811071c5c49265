#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void main_kernel(__global double *b0, __global ulong *b1, __global ulong *b2)
{
    uint v18 = (uint)get_global_id(0);
    ulong v28 = b1[v18];
    ulong v33 = *b1;
    atomic_fetch_min_explicit((volatile __global atomic_double *)(&b0[v18]), 0x1.e000000000000p-50 + (as_double(v28) - as_double(v33)), memory_order_release, memory_scope_device);
    return;
}

