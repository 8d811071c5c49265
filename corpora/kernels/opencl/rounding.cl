/* The five functions that round to a whole number, on hard operands.
 * out[5 i ...] = floor, ceil, trunc, rint, round. */
__kernel void rounding(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    out[5 * i] = floor(x);
    out[5 * i + 1] = ceil(x);
    out[5 * i + 2] = trunc(x);
    out[5 * i + 3] = rint(x);
    out[5 * i + 4] = round(x);
}
