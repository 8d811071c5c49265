/* Numbers taken apart: fraction and exponent, whole part, the neighbour above.
 * f[4 i ...] = frexp, modf, its whole part, nextafter; n[2 i ...] = exponent, ilogb. */
__kernel void parts(__global const float *in, __global float *f, __global int *n)
{
    size_t i = get_global_id(0);
    float x = in[i], whole;
    int exponent;
    f[4 * i] = frexp(x, &exponent);
    f[4 * i + 1] = modf(x, &whole);
    f[4 * i + 2] = whole;
    f[4 * i + 3] = nextafter(x, INFINITY);
    n[2 * i] = exponent;
    n[2 * i + 1] = ilogb(x);
}
