/* Sine, cosine and tangent within 100, and the arc tangent.
 * out[4 i ...] = sin, cos, tan, atan. */
__kernel void trig(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i], c;
    out[4 * i] = sincos(x, &c);
    out[4 * i + 1] = c;
    out[4 * i + 2] = tan(x);
    out[4 * i + 3] = atan(x);
}
