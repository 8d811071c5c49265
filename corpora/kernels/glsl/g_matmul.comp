/* A product of two 16 by 16 matrices of floats through tiles of 4 by 4 in shared memory.
 * c = a * b, contracted or not. */
#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
shared float ta[4][4], tb[4][4];
void main()
{
    uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
    float sum = 0;
    for (uint t = 0; t < 4; t++) {
        ta[l.y][l.x] = a[g.y * 16 + t * 4 + l.x];
        tb[l.y][l.x] = b[(t * 4 + l.y) * 16 + g.x];
        barrier();
        for (uint k = 0; k < 4; k++)
            sum += ta[l.y][k] * tb[k][l.x];
        barrier();
    }
    c[g.y * 16 + g.x] = sum;
}
