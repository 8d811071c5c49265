/* The sum of 64 floats per work-group, by a tree in local memory with a barrier behind each step.
 * out[group] = sum of the group's part of in. */
__kernel void reduce_sum(__global const float *in, __global float *out)
{
    __local float t[64];
    size_t l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 32; n > 0; n >>= 1) {
        if (l < n)
            t[l] += t[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
