/* Undefined without robust access: the last invocation reads beyond the buffer.
 * y[i] = x[i + 1]. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x + 1];
}
