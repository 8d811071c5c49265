/* A sum over the sub-group without ids, whole in each of its work-items.
 * out[i] = sum of in over i's sub-group. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void sub_sum_bare(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    out[i] = sub_group_reduce_add(in[i]);
}
