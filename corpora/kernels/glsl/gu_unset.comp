/* Undefined: a variable that one path does not set.
 * y[i] = v, set where x[i] is odd. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, v;
    if ((x[i] & 1) == 1)
        v = x[i] * 3;
    y[i] = v;
}
