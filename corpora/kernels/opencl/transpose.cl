/* A transposed 24 by 16 matrix by way of tiles with padded rows.
 * out[x][y] = in[y][x]. */
__kernel void transpose(__global const uint *in, __global uint *out)
{
    __local uint t[8][9];
    size_t lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[get_global_id(1) * 16 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 8 + ly) * 24 + get_group_id(1) * 8 + lx] = t[lx][ly];
}
