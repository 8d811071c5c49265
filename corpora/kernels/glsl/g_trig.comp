/* Sine, cosine, tangent, their inverses and tanh.
 * y[6 i ...] = sin, cos, tan(x / 2), atan, asin(x / 4), tanh. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float v = x[i];
    y[6 * i] = sin(v);
    y[6 * i + 1] = cos(v);
    y[6 * i + 2] = tan(v * 0.5);
    y[6 * i + 3] = atan(v);
    y[6 * i + 4] = asin(v * 0.25);
    y[6 * i + 5] = tanh(v);
}
