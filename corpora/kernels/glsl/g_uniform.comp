/* A uniform block (std140) with a matrix and an array of vectors.
 * y[i] = m * x[i] + offset[i % 2]. */
#version 450
layout(local_size_x = 32) in;
layout(std140, binding = 0) uniform U {
    mat4 m;
    vec4 offset[2];
};
layout(binding = 1) readonly buffer X { vec4 x[]; };
layout(binding = 2) writeonly buffer Y { vec4 y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    y[i] = m * x[i] + offset[i % 2];
}
