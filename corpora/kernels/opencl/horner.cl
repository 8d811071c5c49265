/* A polynomial of degree 7 in doubles by Horner's rule with fma, its coefficients in __constant memory.
 * out[i] = sum of c[k] * in[i]^k. */
__kernel void horner(__global const double *in, __global double *out, __constant double *c)
{
    double x = in[get_global_id(0)], r = c[7];
    for (int k = 6; k >= 0; k--)
        r = fma(r, x, c[k]);
    out[get_global_id(0)] = r;
}
