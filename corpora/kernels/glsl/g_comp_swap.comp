/* A sum of floats by a loop of compare-and-swap on their bits.
 * sum[i % 2] = bits of the sum of x, whole numbers. */
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer S { uint sum[2]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, seen = 0, before;
    do {
        before = seen;
        seen = atomicCompSwap(sum[i % 2], before, floatBitsToUint(uintBitsToFloat(before) + x[i]));
    } while (seen != before);
}
