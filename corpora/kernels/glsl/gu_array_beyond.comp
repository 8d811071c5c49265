/* Undefined: an index into a private array that data makes too great.
 * y[i] = t[x[i] & 7] of an array of four. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint t[4] = uint[](i, i + 1, i + 2, i + 3);
    y[i] = t[x[i] & 7];
}
