/* A step of Conway's Life on a 16 by 16 torus.
 * out = the next generation of in. */
__kernel void life(__global const uchar *in, __global uchar *out)
{
    int i = (int)get_global_id(0), x = i & 15, y = i >> 4, n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx | dy)
                n += in[((y + dy) & 15) * 16 + ((x + dx) & 15)];
    out[i] = (uchar)((n | in[i]) == 3);
}
