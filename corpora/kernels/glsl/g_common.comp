/* Functions that round and compare.
 * y[8 i ...] = floor, ceil, trunc, roundEven, abs, sign, min(x, 3), clamp(x, -5, 5). */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float v = x[i];
    y[8 * i] = floor(v);
    y[8 * i + 1] = ceil(v);
    y[8 * i + 2] = trunc(v);
    y[8 * i + 3] = roundEven(v);
    y[8 * i + 4] = abs(v);
    y[8 * i + 5] = sign(v);
    y[8 * i + 6] = min(v, 3.0);
    y[8 * i + 7] = clamp(v, -5.0, 5.0);
}
