/* The built-in ids of three dimensions as one number.
 * y[linear] = global id in fields of 4 bits, local index above, group above. */
#version 450
layout(local_size_x = 4, local_size_y = 2, local_size_z = 2) in;
layout(binding = 0) writeonly buffer Y { uint y[]; };
void main()
{
    uvec3 g = gl_GlobalInvocationID, n = gl_NumWorkGroups * gl_WorkGroupSize, w = gl_WorkGroupID;
    uint group = w.x + gl_NumWorkGroups.x * (w.y + gl_NumWorkGroups.y * w.z);
    y[(g.z * n.y + g.y) * n.x + g.x] = g.x | g.y << 4 | g.z << 8 | gl_LocalInvocationIndex << 12 | group << 16;
}
