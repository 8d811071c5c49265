/* Kahan's compensated sum of 32 floats per invocation, precise.
 * y[i] = the sum of x[32 i ...]. */
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    precise float sum = 0, lost = 0;
    for (uint k = 0; k < 32; k++) {
        precise float v = x[32 * i + k] - lost, t = sum + v;
        lost = (t - sum) - v;
        sum = t;
    }
    y[i] = sum;
}
