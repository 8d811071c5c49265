/* CRC-32 (IEEE 802.3) of 20 bytes per work-item, bit by bit.
 * out[i] = crc of in[20 i ... 20 i + 19]. */
__kernel void crc32(__global const uchar *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint c = ~0u;
    for (__global const uchar *p = in + 20 * i; p != in + 20 * i + 20; p++) {
        c ^= *p;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    out[i] = ~c;
}
