/* Doubles: a sum, a product with its error by fma, a quotient, a square root.
 * y[4 i ...] = a + b, a * b, a / b, sqrt(b), precise. */
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer A { double a[]; };
layout(binding = 1) readonly buffer B { double b[]; };
layout(binding = 2) writeonly buffer Y { double y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    precise double s = a[i] + b[i], p = a[i] * b[i], q = a[i] / b[i];
    y[4 * i] = s;
    y[4 * i + 1] = p;
    y[4 * i + 2] = q;
    y[4 * i + 3] = sqrt(b[i]);
}
