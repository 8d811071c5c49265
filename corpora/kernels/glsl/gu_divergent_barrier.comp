/* Undefined: half of the work-group comes to a barrier.
 * y[i] = x[i ^ 1] for i below 16. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
shared uint t[32];
void main()
{
    uint l = gl_LocalInvocationID.x;
    t[l] = x[l];
    if (l < 16) {
        barrier();
        y[l] = t[l ^ 1];
    }
}
