/* The ids of three dimensions as one number.
 * out[linear] = global id in fields of 4 bits, local id above, group above. */
__kernel void ids(__global uint *out)
{
    uint x = (uint)get_global_id(0), y = (uint)get_global_id(1), z = (uint)get_global_id(2);
    uint l = (uint)(get_local_id(0) | get_local_id(1) << 2 | get_local_id(2) << 3);
    uint g = (uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] = x | y << 4 | z << 8 | l << 12 | g << 16;
}
