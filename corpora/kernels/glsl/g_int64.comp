/* 64-bit integers: a product, a quotient, a remainder.
 * z[3 i ...] = a * b, a / b, a % b. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer A { uint64_t a[]; };
layout(binding = 1) readonly buffer B { uint64_t b[]; };
layout(binding = 2) writeonly buffer Z { uint64_t z[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    z[3 * i] = a[i] * b[i];
    z[3 * i + 1] = a[i] / b[i];
    z[3 * i + 2] = a[i] % b[i];
}
