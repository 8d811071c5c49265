/* The five-point sum of a 16 by 16 picture through a tile with a border in local memory; 0 outside.
 * out[y][x] = 4 * in[y][x] - its four neighbours. */
__kernel void stencil_halo(__global const int *in, __global int *out)
{
    __local int t[10][10];
    int lx = (int)get_local_id(0), ly = (int)get_local_id(1);
    int ox = (int)get_group_id(0) * 8 - 1, oy = (int)get_group_id(1) * 8 - 1;
    for (int i = ly * 8 + lx; i < 100; i += 64) {
        int row = i * 205 >> 11, column = i - 10 * row;
        int x = ox + column, y = oy + row, value = 0;
        if (((x | y) & ~15) == 0)
            value = in[y * 16 + x];
        t[row][column] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int cx = lx + 1, cy = ly + 1;
    out[get_global_id(1) * 16 + get_global_id(0)] =
        4 * t[cy][cx] - t[cy - 1][cx] - t[cy + 1][cx] - t[cy][cx - 1] - t[cy][cx + 1];
}
