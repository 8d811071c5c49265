/* PCG's output permutation on 32 bits, four steps, as a float of [0, 1).
 * y[i] = last number's high 24 bits * 2^-24. */
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
void main()
{
    uint s = x[gl_GlobalInvocationID.x], w = 0;
    for (int k = 0; k < 4; k++) {
        s = s * 747796405u + 2891336453u;
        w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
        w = w >> 22 ^ w;
    }
    y[gl_GlobalInvocationID.x] = float(w >> 8) * (1.0 / 16777216.0);
}
