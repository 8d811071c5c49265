/* Inclusive sums over the sub-group, beside what says who is in it.
 * out[i] = sum up to i; ids[3 i ...] = sub-group, place in it, size. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void sub_scan(__global const int *in, __global int *out, __global uint *ids)
{
    size_t i = get_global_id(0);
    ids[3 * i] = get_sub_group_id();
    ids[3 * i + 1] = get_sub_group_local_id();
    ids[3 * i + 2] = get_sub_group_size();
    out[i] = sub_group_scan_inclusive_add(in[i]);
}
