/* Remainders of ints that are not negative, and mod of floats.
 * r[2 i ...] = a % b, a / b; m[i] = mod(float(a) / 16, 1.5). */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { int a[]; };
layout(binding = 1) readonly buffer B { int b[]; };
layout(binding = 2) writeonly buffer R { int r[]; };
layout(binding = 3) writeonly buffer M { float m[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    r[2 * i] = a[i] % b[i];
    r[2 * i + 1] = a[i] / b[i];
    m[i] = mod(float(a[i]) / 16.0, 1.5);
}
