/* Shifts, some by 32 or more, of which the value alone is undefined.
 * z[i] = x[i] << y[i], any word for those. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) readonly buffer Y { uint y[]; };
layout(binding = 2) writeonly buffer Z { uint z[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    z[i] = x[i] << y[i];
}
