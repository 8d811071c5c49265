/* The bits of each byte turned round by swaps, bits counted, the leading zeros, and the next power of two.
 * out[4 i ...] = bytes reversed, popcount, clz, power of two at or above (0 if there is none). */
__kernel void bit_tricks(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint x = in[i], r = x, p = x - 1;
    r = (r >> 1 & 0x55555555) | (r & 0x55555555) << 1;
    r = (r >> 2 & 0x33333333) | (r & 0x33333333) << 2;
    r = (r >> 4 & 0x0f0f0f0f) | (r & 0x0f0f0f0f) << 4;
    for (uint s = 1; s < 32; s *= 2)
        p |= p >> s;
    out[4 * i] = r;
    out[4 * i + 1] = popcount(x);
    out[4 * i + 2] = clz(x);
    out[4 * i + 3] = p + 1;
}
