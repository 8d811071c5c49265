/* PCG-32 with 64 bits of state; four numbers per work-item as floats of [0, 1).
 * out[4 i + k] = the k-th number's high 24 bits * 2^-24. */
__kernel void pcg(__global const ulong *seed, __global float *out)
{
    size_t i = get_global_id(0);
    ulong s = seed[i];
    for (int k = 0; k < 4; k++) {
        ulong before = s;
        s = before * 6364136223846793005UL + 1442695040888963407UL;
        uint x = (uint)((before >> 18 ^ before) >> 27), turn = (uint)(before >> 59);
        x = x >> turn | x << (-turn & 31);
        out[4 * i + k] = (float)(x >> 8) * 0x1p-24f;
    }
}
