/* Interpolation: mix, step, smoothstep, fract.
 * y[4 i ...] = mix(1, 3, x), step(0.5, x), smoothstep(0, 1, x), fract. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { vec4 y[]; };
void main()
{
    float v = x[gl_GlobalInvocationID.x];
    y[gl_GlobalInvocationID.x] = vec4(mix(1.0, 3.0, v), step(0.5, v), smoothstep(0.0, 1.0, v), fract(v));
}
