/* Exclusive sums over the subgroup, beside what says who is in it.
 * y[i] = sum before i; ids[3 i ...] = subgroup, place in it, size. */
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { int x[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(binding = 2) writeonly buffer I { uint ids[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    ids[3 * i] = gl_SubgroupID;
    ids[3 * i + 1] = gl_SubgroupInvocationID;
    ids[3 * i + 2] = gl_SubgroupSize;
    y[i] = subgroupExclusiveAdd(x[i]);
}
