/* A chain of eight fused multiply-adds on hard operands.
 * out[i] = fma(x, y, fma(x, y, ...)) from y. */
__kernel void fma_chain(__global const float *a, __global const float *b, __global float *out)
{
    size_t i = get_global_id(0);
    float x = a[i], y = b[i], r = y;
    for (int k = 0; k < 8; k++)
        r = fma(x, y, r);
    out[i] = r;
}
