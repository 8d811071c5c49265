/* A switch in a loop, with arms that fall through, break and continue.
 * y[i] = what the base-4 digits of x[i] make of 1. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
void main()
{
    uint v = x[gl_GlobalInvocationID.x], r = 1;
    for (; v != 0; v >>= 2) {
        switch (v & 3) {
        case 0:
            continue;
        case 1:
            r *= 5;
        case 2:
            r ^= 0xabcd;
            break;
        default:
            r = ~r;
        }
        r += 3;
    }
    y[gl_GlobalInvocationID.x] = r;
}
