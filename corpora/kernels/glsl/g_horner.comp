/* A polynomial of degree 7 by Horner's rule, its coefficients in push constants.
 * y[i] = sum of c[k] * x[i]^k, precise. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform C { float c[8]; };
void main()
{
    float v = x[gl_GlobalInvocationID.x];
    precise float r = c[7];
    for (int k = 6; k >= 0; k--)
        r = r * v + c[k];
    y[gl_GlobalInvocationID.x] = r;
}
