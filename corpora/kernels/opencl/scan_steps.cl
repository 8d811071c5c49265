/* An inclusive prefix sum per work-group after Hillis and Steele, with two halves of local memory.
 * out[i] = sum of in over the group up to i, modulo 2^32. */
__kernel void scan_steps(__global const uint *in, __global uint *out)
{
    __local uint t[2][64];
    uint l = (uint)get_local_id(0), from = 0;
    t[0][l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 64; d <<= 1) {
        uint x = t[from][l];
        if (l >= d)
            x += t[from][l - d];
        t[1 - from][l] = x;
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[from][l];
}
