/* Positive elements moved to the front in their order: a scan of flags in local memory.
 * out = the positive elements, the rest untouched; n[0] = how many. */
__kernel void compact(__global const int *in, __global int *out, __global uint *n)
{
    __local uint at[64];
    uint l = (uint)get_local_id(0);
    int x = in[l];
    at[l] = x > 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 64; d *= 2) {
        uint before = l >= d ? at[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        at[l] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x > 0)
        out[at[l] - 1] = x;
    if (l == 63)
        n[0] = at[63];
}
