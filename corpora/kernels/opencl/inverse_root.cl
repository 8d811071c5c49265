/* The root's reciprocal by bits and two steps of Newton's iteration, without contraction.
 * out[i] = about 1 / sqrt(in[i]). */
#pragma OPENCL FP_CONTRACT OFF
__kernel void inverse_root(__global const float *in, __global float *out)
{
    float x = in[get_global_id(0)], y = as_float(0x5f3759dfu - (as_uint(x) >> 1));
    y = y * (1.5f - 0.5f * x * y * y);
    y = y * (1.5f - 0.5f * x * y * y);
    out[get_global_id(0)] = y;
}
