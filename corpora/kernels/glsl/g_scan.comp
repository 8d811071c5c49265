/* An inclusive prefix sum per work-group with two barriers a step.
 * y[i] = sum of x over the group up to i, modulo 2^32. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
shared uint t[32];
void main()
{
    uint l = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x;
    t[l] = x[i];
    for (uint d = 1; d < 32; d *= 2) {
        barrier();
        uint before = l >= d ? t[l - d] : 0;
        barrier();
        t[l] += before;
    }
    y[i] = t[l];
}
