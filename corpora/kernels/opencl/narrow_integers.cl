/* Shorts and chars: products that wrap, signed shifts, quotients by what is not 0.
 * out[3 i ...] = a * b, a >> (b & 7), a / (b | 1). */
__kernel void narrow_integers(__global const short *a, __global const char *b, __global short *out)
{
    for (size_t i = get_global_id(0); i < 64; i += 32) {
        out[3 * i] = (short)(a[i] * b[i]);
        out[3 * i + 1] = (short)(a[i] >> (b[i] & 7));
        out[3 * i + 2] = (short)(a[i] / (b[i] | 1));
    }
}
