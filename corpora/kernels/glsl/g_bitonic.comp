/* A bitonic sort of 64 ints by 32 invocations, each of which compares one pair a step.
 * d = each 64 elements sorted upward. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer D { int d[]; };
shared int t[64];
void main()
{
    uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 64;
    t[l] = d[base + l];
    t[l + 32] = d[base + l + 32];
    for (uint k = 2; k <= 64; k *= 2) {
        for (uint j = k / 2; j > 0; j /= 2) {
            barrier();
            uint a = (l & ~(j - 1)) * 2 + (l & (j - 1)), b = a + j;
            bool isUp = (a & k) == 0;
            int x = t[a], y = t[b];
            if ((x > y) == isUp) {
                t[a] = y;
                t[b] = x;
            }
        }
    }
    barrier();
    d[base + l] = t[l];
    d[base + l + 32] = t[l + 32];
}
