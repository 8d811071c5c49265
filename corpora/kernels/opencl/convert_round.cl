/* Ints to floats by each of the four modes of rounding.
 * out[4 i ...] = to nearest, toward zero, up, down. */
__kernel void convert_round(__global const int *in, __global float4 *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] =
        (float4)(convert_float_rte(x), convert_float_rtz(x), convert_float_rtp(x), convert_float_rtn(x));
}
