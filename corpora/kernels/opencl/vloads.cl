/* Vectors that are loaded and stored at addresses of their components alone.
 * three[3 i ...] = in[3 i + 2 ...] turned round; four[4 i ...] = in[4 i + 3 ...] with halves swapped. */
__kernel void vloads(__global const uint *in, __global uint *three, __global uint *four)
{
    size_t i = get_global_id(0);
    uint3 a = vload3(i, in + 2);
    uint4 b = vload4(i, in + 3);
    vstore3(a.zyx, i, three);
    vstore4((uint4)(b.hi, b.lo), i, four);
}
