/* Matrices of four columns: a product with a vector, a transposed one, a determinant.
 * y[i] = transpose(m[i]) * (m[i] * v[i]); d[i] = determinant(m[i]). */
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer M { mat4 m[]; };
layout(binding = 1) readonly buffer V { vec4 v[]; };
layout(binding = 2) writeonly buffer Y { vec4 y[]; };
layout(binding = 3) writeonly buffer D { float d[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    y[i] = transpose(m[i]) * (m[i] * v[i]);
    d[i] = determinant(m[i]);
}
