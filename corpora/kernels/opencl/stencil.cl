/* A smoothing of a line, without contraction; the ends count twice.
 * out[i] = 0.25 * in[i - 1] + 0.5 * in[i] + 0.25 * in[i + 1]. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void stencil(__global const float *in, __global float *out)
{
    int i = (int)get_global_id(0), n = (int)get_global_size(0);
    float left = in[i > 0 ? i - 1 : 0], right = in[min(i + 1, n - 1)];
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}
