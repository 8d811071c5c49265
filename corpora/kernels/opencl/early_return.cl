/* Work-items that return early, from several points.
 * out[i] = the root of a square of in, -2 below zero, -1 (untouched) where it is no square. */
__kernel void early_return(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int x = in[i];
    if (x < 0) {
        out[i] = -2;
        return;
    }
    for (int r = 0; r <= 10; r++) {
        if (r * r == x) {
            out[i] = r;
            return;
        }
        if (r * r > x)
            return;
    }
}
