/* Ints to narrower ones, with and without saturation, and the bytes of a vector.
 * a[i] = uchar, saturated; b[i] = short, saturated; c[i] = the low byte. */
__kernel void convert_narrow(__global const int *in, __global uchar *a, __global short *b, __global uchar *c)
{
    size_t i = get_global_id(0);
    a[i] = convert_uchar_sat(in[i]);
    b[i] = convert_short_sat(in[i]);
    c[i] = as_uchar4(in[i]).x;
}
