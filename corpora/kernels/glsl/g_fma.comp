/* A chain of fma, each of which may be fused or not.
 * z[i] = fma(x, y, fma(x, y, ...)), four deep. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer Y { float y[]; };
layout(binding = 2) writeonly buffer Z { float z[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float r = y[i];
    for (int k = 0; k < 4; k++)
        r = fma(x[i], y[i], r);
    z[i] = r;
}
