/* Seven buffers of three types.
 * x[i] = a[i] - b[i]; y[i] = ~c[i]; z[i] = d[31 - i] + 1. */
__kernel void many_buffers(__global const float *a, __global const float *b, __global const int *c,
                           __global const uchar *d, __global float *x, __global int *y, __global uchar *z)
{
    size_t i = get_global_id(0);
    x[i] = a[i] - b[i];
    y[i] = ~c[i];
    z[i] = (uchar)(d[31 - i] + 1);
}
