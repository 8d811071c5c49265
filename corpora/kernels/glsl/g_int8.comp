/* Bytes and shorts in buffers and in arithmetic that wraps.
 * z[i] = y[i] * 3 + x[i]. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint8_t x[]; };
layout(binding = 1) readonly buffer Y { int16_t y[]; };
layout(binding = 2) writeonly buffer Z { int16_t z[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    z[i] = y[i] * 3s + int16_t(x[i]);
}
