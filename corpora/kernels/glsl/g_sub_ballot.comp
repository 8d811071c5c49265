/* A ballot and a vote without ids: bits that are counted, and whether all agree.
 * y[2 i ...] = how many odd x the subgroup has, 1 where all x are below 2^32 - 1 else 0. */
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    y[2 * i] = subgroupBallotBitCount(subgroupBallot((x[i] & 1) == 1));
    y[2 * i + 1] = uint(subgroupAll(x[i] != ~0u));
}
