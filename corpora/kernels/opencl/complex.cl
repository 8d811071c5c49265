/* Products and quotients of complex numbers as float2, without contraction.
 * p[i] = a[i] * b[i]; q[i] = a[i] / b[i]. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void complex(__global const float2 *a, __global const float2 *b, __global float2 *p, __global float2 *q)
{
    size_t i = get_global_id(0);
    float2 x = a[i], y = b[i];
    p[i] = (float2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
    float n = y.x * y.x + y.y * y.y;
    q[i] = (float2)((x.x * y.x + x.y * y.y) / n, (x.y * y.x - x.x * y.y) / n);
}
