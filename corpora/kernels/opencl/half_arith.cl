/* Arithmetic of cl_khr_fp16: an average weighted by thirds, each operation rounded to half.
 * out[i] = (a + 2 b) / 3 of the pair i. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void half_arith(__global const half *in, __global half *out)
{
    size_t i = get_global_id(0);
    half a = in[2 * i], b = in[2 * i + 1];
    out[i] = (a + b * 2.0h) / 3.0h;
}
