/* Functions with inout and out parameters, called within each other.
 * y[2 i ...] = x after three steps, number of turns. */
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
bool halve(inout float v, out float twice)
{
    twice = v + v;
    if (abs(v) < 1)
        return false;
    v *= 0.5;
    return true;
}
void main()
{
    uint i = gl_GlobalInvocationID.x, n = 0;
    float v = x[i], t = 0;
    for (int k = 0; k < 3; k++)
        if (halve(v, t))
            n++;
    y[2 * i] = v + t;
    y[2 * i + 1] = float(n);
}
