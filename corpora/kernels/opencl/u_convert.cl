/* Undefined: floats far out of range to ints, without saturation.
 * y[i] = (int)x[i]. */
__kernel void u_convert(__global const float *x, __global int *y)
{
    y[get_global_id(0)] = (int)x[get_global_id(0)];
}
