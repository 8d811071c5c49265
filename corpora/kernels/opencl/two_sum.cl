/* Knuth's TwoSum and the product with its error by fma: transformations without error.
 * s[i] = a + b and its error; p[i] = a * b and its error. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void two_sum(__global const float *a, __global const float *b, __global float2 *s, __global float2 *p)
{
    size_t i = get_global_id(0);
    float x = a[i], y = b[i];
    float sum = x + y, z = sum - x;
    s[i] = (float2)(sum, (x - (sum - z)) + (y - z));
    float product = x * y;
    p[i] = (float2)(product, fma(x, y, -product));
}
