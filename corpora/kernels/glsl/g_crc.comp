/* CRC-32 of four words per invocation, through a table in a constant array that data indexes.
 * y[i] = crc of the bytes of x[4 i ... 4 i + 3]. */
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
const uint table[16] = uint[](0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
                              0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                              0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu);
void main()
{
    uint i = gl_GlobalInvocationID.x, c = ~0u;
    for (uint k = 0; k < 32; k++) {
        uint v = x[4 * i + k / 8] >> 4 * (k % 8);
        c = table[(c ^ v) & 15] ^ c >> 4;
    }
    y[i] = ~c;
}
