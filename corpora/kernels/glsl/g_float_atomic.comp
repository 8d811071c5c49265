/* Atomic additions to floats (GL_EXT_shader_atomic_float), of whole numbers.
 * sum[i % 2] = sum of x. */
#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer S { float sum[2]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    atomicAdd(sum[i % 2], x[i]);
}
