/* The sum of 64 floats per work-group, by a tree in shared memory.
 * y[group] = sum of the group's part of x. */
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
shared float t[64];
void main()
{
    uint l = gl_LocalInvocationID.x;
    t[l] = x[gl_GlobalInvocationID.x];
    barrier();
    for (uint n = 32; n > 0; n >>= 1) {
        if (l < n)
            t[l] += t[l + n];
        barrier();
    }
    if (l == 0)
        y[gl_WorkGroupID.x] = t[0];
}
