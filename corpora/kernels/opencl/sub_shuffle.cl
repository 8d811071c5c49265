/* A shuffle with the neighbour within the sub-group (cl_khr_subgroup_shuffle), beside the ids.
 * out[i] = in of the work-item whose place differs in its lowest bit; ids[2 i ...] = sub-group, place. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
__kernel void sub_shuffle(__global const uint *in, __global uint *out, __global uint *ids)
{
    size_t i = get_global_id(0);
    ids[2 * i] = get_sub_group_id();
    ids[2 * i + 1] = get_sub_group_local_id();
    out[i] = sub_group_shuffle_xor(in[i], 1);
}
