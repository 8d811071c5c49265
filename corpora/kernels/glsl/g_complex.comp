/* A complex number's product with another, and that taken to the third power.
 * p[i] = (a[i] * b[i])^3, precise. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { vec2 a[]; };
layout(binding = 1) readonly buffer B { vec2 b[]; };
layout(binding = 2) writeonly buffer P { vec2 p[]; };
vec2 product(vec2 u, vec2 v)
{
    precise float re = u.x * v.x - u.y * v.y;
    precise float im = u.x * v.y + u.y * v.x;
    return vec2(re, im);
}
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec2 z = product(a[i], b[i]);
    p[i] = product(product(z, z), z);
}
