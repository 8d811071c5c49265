/* Undefined: shared memory that nobody stored to.
 * y[i] = t[i]. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Y { uint y[]; };
shared uint t[32];
void main()
{
    if (gl_LocalInvocationID.x < 8)
        t[gl_LocalInvocationID.x] = 1;
    barrier();
    y[gl_GlobalInvocationID.x] = t[gl_LocalInvocationID.x];
}
