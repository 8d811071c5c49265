/* An exclusive prefix sum after Blelloch, up and down a tree, two elements per work-item.
 * out[i] = sum of in over the group's 64 elements before i, modulo 2^32. */
__kernel void scan_tree(__global const uint *in, __global uint *out)
{
    __local uint t[64];
    uint l = (uint)get_local_id(0), base = (uint)get_group_id(0) * 64, d = 1;
    t[2 * l] = in[base + 2 * l];
    t[2 * l + 1] = in[base + 2 * l + 1];
    for (uint n = 32; n > 0; n >>= 1, d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            t[d * (2 * l + 2) - 1] += t[d * (2 * l + 1) - 1];
    }
    if (l == 0)
        t[63] = 0;
    for (uint n = 1; n < 64; n *= 2) {
        d >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n) {
            uint a = d * (2 * l + 1) - 1, b = d * (2 * l + 2) - 1, x = t[a];
            t[a] = t[b];
            t[b] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = t[2 * l];
    out[base + 2 * l + 1] = t[2 * l + 1];
}
