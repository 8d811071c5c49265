/* A float by value.
 * y[i] = x[i] * factor. */
__kernel void v_scale(__global const float *x, __global float *y, float factor)
{
    y[get_global_id(0)] = x[get_global_id(0)] * factor;
}
