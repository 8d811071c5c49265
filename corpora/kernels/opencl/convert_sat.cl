/* Floats to integers that saturate, with modes of rounding; NaN gives 0.
 * b[i] = uchar; s[i] = short to nearest; w[2 i ...] = int upward and downward. */
__kernel void convert_sat(__global const float *in, __global uchar *b, __global short *s, __global int *w)
{
    size_t i = get_global_id(0);
    float x = in[i];
    b[i] = convert_uchar_sat(x);
    s[i] = convert_short_sat_rte(x);
    w[2 * i] = convert_int_sat_rtp(x);
    w[2 * i + 1] = convert_int_sat_rtn(x);
}
