/* Functions of the whole work-group: a maximum, an exclusive sum, a broadcast.
 * out[3 i ...] = max, sum before i, the element of local id 5. */
__kernel void group_functions(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint x = in[i];
    out[3 * i] = work_group_reduce_max(x);
    out[3 * i + 1] = work_group_scan_exclusive_add(x);
    out[3 * i + 2] = work_group_broadcast(x, 5);
}
