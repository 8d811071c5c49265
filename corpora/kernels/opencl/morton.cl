/* Two 16-bit coordinates interleaved to a Morton code, and taken apart again.
 * code[i] = bits of x and y in turn; back[i] = y << 16 | x. */
static uint spread(uint x)
{
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}
static uint gather(uint x)
{
    x &= 0x55555555;
    x = (x | x >> 1) & 0x33333333;
    x = (x | x >> 2) & 0x0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff;
    return (x | x >> 8) & 0xffff;
}
__kernel void morton(__global const ushort2 *in, __global uint *code, __global uint *back)
{
    size_t i = get_global_id(0);
    uint c = spread(in[i].x) | spread(in[i].y) << 1;
    code[i] = c;
    back[i] = gather(c >> 1) << 16 | gather(c);
}
