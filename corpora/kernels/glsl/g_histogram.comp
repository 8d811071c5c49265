/* A histogram by shared atomics, added to the one of all groups.
 * y[bin] = number of x with x % 16 == bin. */
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) buffer Y { uint y[]; };
shared uint bins[16];
void main()
{
    uint l = gl_LocalInvocationID.x;
    if (l < 16)
        bins[l] = 0;
    barrier();
    atomicAdd(bins[x[gl_GlobalInvocationID.x] % 16], 1);
    barrier();
    if (l < 16)
        atomicAdd(y[l], bins[l]);
}
