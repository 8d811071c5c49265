/* A product of two 12 by 12 matrices of ints through tiles of 4 by 4 in local memory.
 * c = a * b. */
__kernel void matmul_tiles(__global const int *a, __global const int *b, __global int *c)
{
    __local int ta[4][4], tb[4][4];
    int x = (int)get_local_id(0), y = (int)get_local_id(1);
    int gx = (int)get_global_id(0), gy = (int)get_global_id(1);
    int sum = 0;
    for (int t = 0; t < 3; t++) {
        ta[y][x] = a[gy * 12 + t * 4 + x];
        tb[y][x] = b[(t * 4 + y) * 12 + gx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 4; k++)
            sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[gy * 12 + gx] = sum;
}
