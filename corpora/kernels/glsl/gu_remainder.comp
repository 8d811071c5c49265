/* Undefined: a remainder of a negative int (GLSL 4.60, 5.9; Vulkan leaves OpSMod and OpSRem of such undefined).
 * z[i] = x[i] % y[i]. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { int x[]; };
layout(binding = 1) readonly buffer Y { int y[]; };
layout(binding = 2) writeonly buffer Z { int z[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    z[i] = x[i] % y[i];
}
