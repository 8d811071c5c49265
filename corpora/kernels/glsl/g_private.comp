/* A private array that data indexes: a permutation's counting by digits.
 * y[8 i ...] = x[8 i ...] ordered by their lowest four bits, otherwise as they came. */
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, at[17];
    for (uint k = 0; k < 17; k++)
        at[k] = 0;
    for (uint k = 0; k < 8; k++)
        at[(x[8 * i + k] & 15) + 1]++;
    for (uint k = 1; k < 17; k++)
        at[k] += at[k - 1];
    for (uint k = 0; k < 8; k++) {
        uint v = x[8 * i + k];
        y[8 * i + at[v & 15]++] = v;
    }
}
