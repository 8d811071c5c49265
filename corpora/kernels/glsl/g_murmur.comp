/* MurmurHash3 of four words per invocation.
 * y[i] = hash of x[4 i ... 4 i + 3], seed i. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uvec4 x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
uint turn(uint v, int n)
{
    return v << n | v >> (32 - n);
}
void main()
{
    uint i = gl_GlobalInvocationID.x, h = i;
    uvec4 v = x[i];
    for (int k = 0; k < 4; k++) {
        h ^= turn(v[k] * 0xcc9e2d51u, 15) * 0x1b873593u;
        h = turn(h, 13) * 5 + 0xe6546b64u;
    }
    h ^= 16;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    y[i] = h ^ h >> 16;
}
