/* Conversions within range between ints, uints and floats.
 * f[2 i ...] = float(n), float(uint(n)); n2[2 i ...] = int(x), int(uint(|x|)). */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer N { int n[]; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer F { float f[]; };
layout(binding = 3) writeonly buffer M { int m[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    f[2 * i] = float(n[i]);
    f[2 * i + 1] = float(uint(n[i]));
    m[2 * i] = int(x[i]);
    m[2 * i + 1] = int(uint(abs(x[i])));
}
