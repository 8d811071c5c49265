/* How many steps of z * z + c stay within radius 2, at most 50, in precise arithmetic.
 * n[y][x] for c of a 16 by 8 grid from -2 - i. */
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) writeonly buffer N { uint n[8][16]; };
void main()
{
    precise vec2 c = vec2(-2, -1) + vec2(gl_GlobalInvocationID.xy) * vec2(0.1875, 0.25);
    precise vec2 z = vec2(0);
    uint k = 0;
    while (k < 50) {
        precise float r = z.x * z.x + z.y * z.y;
        if (r > 4)
            break;
        precise float re = z.x * z.x - z.y * z.y + c.x;
        precise float im = 2 * z.x * z.y + c.y;
        z = vec2(re, im);
        k++;
    }
    n[gl_GlobalInvocationID.y][gl_GlobalInvocationID.x] = k;
}
