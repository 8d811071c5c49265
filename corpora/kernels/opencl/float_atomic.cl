/* Atomic additions to floats by cl_ext_float_atomics, of whole numbers.
 * out[i % 2] = sum of in. */
#pragma OPENCL EXTENSION cl_ext_float_atomics : enable
float __attribute__((overloadable)) atomic_fetch_add_explicit(volatile __global atomic_float *, float, memory_order, memory_scope);
__kernel void float_atomic(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    atomic_fetch_add_explicit((volatile __global atomic_float *)&out[i % 2], in[i], memory_order_relaxed,
                              memory_scope_device);
}
