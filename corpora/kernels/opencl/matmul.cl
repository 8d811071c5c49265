/* A product of two 16 by 16 matrices of floats, a row times a column per work-item.
 * c[y][x] = sum of a[y][k] * b[k][x], contracted or not. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < 16; k++)
        sum += a[y * 16 + k] * b[k * 16 + x];
    c[y * 16 + x] = sum;
}
