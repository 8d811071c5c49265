/* All atomics of integers that commute, signed and unsigned.
 * a = min, max of x and 0; b = unsigned min and max, and, or, xor. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { int x[]; };
layout(binding = 1) buffer A { int a[2]; };
layout(binding = 2) buffer B { uint b[5]; };
void main()
{
    int v = x[gl_GlobalInvocationID.x];
    atomicMin(a[0], v);
    atomicMax(a[1], v);
    atomicMin(b[0], uint(v));
    atomicMax(b[1], uint(v));
    atomicAnd(b[2], uint(v) | 0xffu);
    atomicOr(b[3], uint(v) & 0xffffu);
    atomicXor(b[4], uint(v));
}
