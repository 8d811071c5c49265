/* A histogram of bytes by their high four bits: local counters, then one global addition per bin and group.
 * out[bin] = number of bytes of in with that high half. */
__kernel void histogram(__global const uchar *in, __global uint *out)
{
    __local uint bins[16];
    uint l = (uint)get_local_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 4; i++)
        atomic_inc(&bins[in[get_global_id(0) * 4 + i] >> 4]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&out[l], bins[l]);
}
