/* CRC-32 by four bits at a time through a table in __constant memory of the program.
 * out[i] = crc of in[16 i ... 16 i + 15]. */
__constant uint table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                             0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                             0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
__kernel void crc_table(__global const uchar *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint c = ~0u;
    for (int k = 0; k < 16; k++) {
        uint x = in[16 * i + k];
        c = table[(c ^ x) & 15] ^ c >> 4;
        c = table[(c ^ x >> 4) & 15] ^ c >> 4;
    }
    out[i] = ~c;
}
