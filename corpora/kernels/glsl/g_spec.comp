/* Specialization constants with their defaults, one of which sizes an array.
 * y[i] = x[i] * 3 + sum of 0 ... 4. */
#version 450
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint factor = 3;
layout(constant_id = 1) const uint count = 5;
layout(constant_id = 2) const bool isAdded = true;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint t[count], sum = 0;
    for (uint k = 0; k < count; k++)
        t[k] = k;
    for (uint k = 0; k < count; k++)
        sum += t[k];
    y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] * factor + (isAdded ? sum : 0);
}
