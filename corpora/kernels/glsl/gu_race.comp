/* Undefined: all invocations store what differs to one word.
 * y[0] = x[i]. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) buffer Y { uint y[]; };
void main()
{
    y[0] = x[gl_GlobalInvocationID.x];
}
