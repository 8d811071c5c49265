/* Kahan's compensated sum of 32 floats per work-item, without contraction.
 * out[i] = the sum of in[32 i ...]. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void kahan(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    float sum = 0.0f, lost = 0.0f;
    for (int k = 0; k < 32; k++) {
        float y = in[32 * i + k] - lost;
        float t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    out[i] = sum;
}
