/* Shuffles within the subgroup and a broadcast of its first invocation, beside the ids.
 * y[2 i ...] = x of the place ^ 1, of the first; ids[2 i ...] = subgroup, place. */
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
layout(binding = 2) writeonly buffer I { uint ids[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    ids[2 * i] = gl_SubgroupID;
    ids[2 * i + 1] = gl_SubgroupInvocationID;
    y[2 * i] = subgroupShuffleXor(x[i], 1);
    y[2 * i + 1] = subgroupBroadcastFirst(x[i]);
}
