/* The greatest int of each work-group, by a tree whose first half alone goes on.
 * out[group] = max of the group's part of in. */
__kernel void reduce_max(__global const int *in, __global int *out)
{
    __local int t[32];
    int l = (int)get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (int n = 16; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            t[l] = max(t[l], t[l + n]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
