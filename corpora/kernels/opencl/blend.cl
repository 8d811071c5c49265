/* Two pictures of bytes blended by the first one's alpha, in ints, on vectors of four.
 * out = (a * alpha + b * (255 - alpha) + 127) / 255. */
__kernel void blend(__global const uchar4 *a, __global const uchar4 *b, __global uchar4 *out)
{
    size_t i = get_global_id(0);
    int4 x = convert_int4(a[i]), y = convert_int4(b[i]);
    int alpha = x.w;
    out[i] = convert_uchar4((x * alpha + y * (255 - alpha) + 127) / 255);
}
