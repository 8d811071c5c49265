/* float16_t in buffers and in arithmetic.
 * y[i] = (a + 2 b) / 4 of the pair i, precise. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { f16vec2 x[]; };
layout(binding = 1) writeonly buffer Y { float16_t y[]; };
void main()
{
    f16vec2 v = x[gl_GlobalInvocationID.x];
    precise float16_t r = (v.x + v.y * 2.0hf) * 0.25hf;
    y[gl_GlobalInvocationID.x] = r;
}
