/* A transposed 16 by 16 matrix; each invocation takes one element.
 * y[c][r] = x[r][c]. */
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) readonly buffer X { uint x[256]; };
layout(binding = 1) writeonly buffer Y { uint y[256]; };
void main()
{
    uvec2 p = gl_GlobalInvocationID.xy;
    y[p.x * 16 + p.y] = x[p.y * 16 + p.x];
}
