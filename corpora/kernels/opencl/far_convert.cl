/* Floats far out of range to ints without saturation, which OpenCL leaves to the implementation.
 * y[i] = any int. */
__kernel void far_convert(__global const float *x, __global int *y)
{
    y[get_global_id(0)] = (int)x[get_global_id(0)];
}
