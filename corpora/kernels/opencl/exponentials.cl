/* Exponentials, logarithms and powers over (0, 20].
 * out[5 i ...] = exp, log, exp2, log10, x to the power 1.5. */
__kernel void exponentials(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    out[5 * i] = exp(x);
    out[5 * i + 1] = log(x);
    out[5 * i + 2] = exp2(x);
    out[5 * i + 3] = log10(x);
    out[5 * i + 4] = pow(x, 1.5f);
}
