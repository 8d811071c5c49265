/* The classic: two values before two buffers, without contraction.
 * y[i] = a * x[i] + y[i]. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void v_saxpy(int n, float a, __global const float *x, __global float *y)
{
    for (int i = (int)get_global_id(0); i < n; i += (int)get_global_size(0))
        y[i] = a * x[i] + y[i];
}
