/* Floats packed into words and unpacked again.
 * y[4 i ...] = packHalf2x16, packSnorm2x16, packUnorm2x16, packSnorm4x8; z[i] = the halves unpacked. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { vec2 x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
layout(binding = 2) writeonly buffer Z { vec2 z[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec2 v = x[i];
    uint h = packHalf2x16(v);
    y[4 * i] = h;
    y[4 * i + 1] = packSnorm2x16(v);
    y[4 * i + 2] = packUnorm2x16(v);
    y[4 * i + 3] = packSnorm4x8(vec4(v, v.yx));
    z[i] = unpackHalf2x16(h);
}
