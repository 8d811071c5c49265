/* A reduction over the sub-group whose ids are stored nowhere.
 * out[i] = number of work-items of i's sub-group. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void sub_size(__global uint *out)
{
    out[get_global_id(0)] = sub_group_reduce_add(1u);
}
