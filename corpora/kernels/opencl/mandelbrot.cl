/* How many steps of z * z + c stay within radius 2, at most 50, without contraction.
 * out[y][x] for c of a 16 by 8 grid from -2 - i. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void mandelbrot(__global uint *out)
{
    size_t gx = get_global_id(0), gy = get_global_id(1);
    float cx = -2.0f + 0.1875f * (float)gx, cy = -1.0f + 0.25f * (float)gy, x = 0.0f, y = 0.0f;
    uint n = 0;
    while (n < 50 && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        n++;
    }
    out[gy * 16 + gx] = n;
}
