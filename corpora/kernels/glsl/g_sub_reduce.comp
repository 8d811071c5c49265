/* A sum of the work-group by the subgroup's sum and one atomic addition of each, elected.
 * y[group] = sum of x over the group. */
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) buffer Y { uint y[]; };
void main()
{
    uint sum = subgroupAdd(x[gl_GlobalInvocationID.x]);
    if (subgroupElect())
        atomicAdd(y[gl_WorkGroupID.x], sum);
}
