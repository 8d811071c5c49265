/* A sum over the subgroup without ids.
 * y[i] = sum of x over i's subgroup. */
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    y[i] = subgroupAdd(x[i]);
}
