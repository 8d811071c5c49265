/* Numbers taken apart and put together: modf, frexp, ldexp.
 * y[4 i ...] = fraction, whole part, significand, ldexp(significand, 3); e[i] = exponent. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(binding = 2) writeonly buffer E { int e[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float whole, part = modf(x[i], whole);
    int exponent;
    float s = frexp(x[i], exponent);
    y[4 * i] = part;
    y[4 * i + 1] = whole;
    y[4 * i + 2] = s;
    y[4 * i + 3] = ldexp(s, 3);
    e[i] = exponent;
}
