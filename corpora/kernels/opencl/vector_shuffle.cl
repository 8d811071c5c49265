/* Bytes of a vector of 8 put into an order that data says (shuffle), then added with saturation.
 * out[8 i + k] = add_sat(in[8 i + (in[8 i + k] & 7)], in[8 i + k]). */
__kernel void vector_shuffle(__global const uchar8 *in, __global uchar8 *out)
{
    uchar8 x = in[get_global_id(0)];
    out[get_global_id(0)] = add_sat(shuffle(x, x), x);
}
