/* Structures within structures with arrays, read member by member.
 * y[i] = xor of the items whose bit is set in the mask, plus the tail. */
#version 450
layout(local_size_x = 16) in;
struct Inner {
    uvec2 pair;
    uint items[8];
};
struct Outer {
    uint mask;
    Inner inner;
    uint tail[3];
};
layout(std430, binding = 0) readonly buffer X { Outer x[]; };
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, r = 0;
    for (uint k = 0; k < 8; k++)
        if ((x[i].mask >> k & 1) == 1)
            r ^= x[i].inner.items[k];
    y[i] = r + x[i].tail[x[i].mask % 3] + x[i].inner.pair.y;
}
