/* Roots, a hypotenuse, remainders.
 * out[5 i ...] = sqrt(x), rsqrt(x), cbrt(y), hypot(x, y), fmod(x, |y| + 1). */
__kernel void roots(__global const float *a, __global const float *b, __global float *out)
{
    size_t i = get_global_id(0);
    float x = a[i], y = b[i];
    out[5 * i] = sqrt(x);
    out[5 * i + 1] = rsqrt(x);
    out[5 * i + 2] = cbrt(y);
    out[5 * i + 3] = hypot(x, y);
    out[5 * i + 4] = fmod(x, fabs(y) + 1.0f);
}
