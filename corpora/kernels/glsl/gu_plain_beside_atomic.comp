/* Undefined: a plain load of a word to which others add atomically.
 * y[i] = what the counter was. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Y { uint y[]; };
layout(binding = 1) buffer N { uint n; };
void main()
{
    atomicAdd(n, 1);
    y[gl_GlobalInvocationID.x] = n;
}
