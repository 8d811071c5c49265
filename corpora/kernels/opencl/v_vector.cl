/* A vector of four floats by value.
 * y[i] = x[i] + shift. */
__kernel void v_vector(__global const float4 *x, __global float4 *y, float4 shift)
{
    y[get_global_id(0)] = x[get_global_id(0)] + shift;
}
