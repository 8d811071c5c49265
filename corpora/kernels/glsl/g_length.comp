/* A runtime array's length keeps invocations beyond it away.
 * y[i] = x[49 - i] for i below 50, else 7 as before. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= x.length())
        return;
    y[i] = x[x.length() - 1 - i];
}
