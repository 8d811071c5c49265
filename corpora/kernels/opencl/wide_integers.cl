/* 64-bit integers: the high half of a product, quotient, remainder, and a shift by data.
 * out[4 i ...] = mul_hi, a / b, a % b, a >> (b & 63). */
__kernel void wide_integers(__global const ulong *a, __global const ulong *b, __global ulong *out)
{
    size_t i = get_global_id(0);
    out[4 * i] = mul_hi(a[i], b[i]);
    out[4 * i + 1] = a[i] / b[i];
    out[4 * i + 2] = a[i] % b[i];
    out[4 * i + 3] = a[i] >> (b[i] & 63);
}
