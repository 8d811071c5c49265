/* Classes of floats as bits, and a selection.
 * bits[i] = isnan, isinf, isfinite, isnormal, signbit, isless, isequal; pick[i] = a if signbit(b) else b. */
__kernel void tests_select(__global const float *a, __global const float *b, __global uint *bits, __global float *pick)
{
    size_t i = get_global_id(0);
    float x = a[i], y = b[i];
    bits[i] = (uint)(isnan(x) != 0) | (uint)(isinf(x) != 0) << 1 | (uint)(isfinite(x) != 0) << 2 |
              (uint)(isnormal(x) != 0) << 3 | (uint)(signbit(x) != 0) << 4 | (uint)(isless(x, y) != 0) << 5 |
              (uint)(isequal(x, y) != 0) << 6;
    pick[i] = select(y, x, signbit(y));
}
