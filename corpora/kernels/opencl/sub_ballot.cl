/* How many work-items of the sub-group have an odd number, by a ballot (cl_khr_subgroup_ballot), beside the ids.
 * out[i] = that number; ids[2 i ...] = sub-group, place. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
__kernel void sub_ballot(__global const uint *in, __global uint *out, __global uint *ids)
{
    size_t i = get_global_id(0);
    ids[2 * i] = get_sub_group_id();
    ids[2 * i + 1] = get_sub_group_local_id();
    out[i] = sub_group_ballot_bit_count(sub_group_ballot((int)(in[i] & 1)));
}
