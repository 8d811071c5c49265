/* Exponentials, logarithms, powers and roots.
 * y[6 i ...] = exp, log, exp2, log2, pow(x, 1.5), inversesqrt. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float v = x[i];
    y[6 * i] = exp(v);
    y[6 * i + 1] = log(v);
    y[6 * i + 2] = exp2(v);
    y[6 * i + 3] = log2(v);
    y[6 * i + 4] = pow(v, 1.5);
    y[6 * i + 5] = inversesqrt(v);
}
