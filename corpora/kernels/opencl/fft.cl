/* A Fourier transform of 16 complex numbers in local memory, with twiddles by cospi and sinpi.
 * out = the transform of in. */
__kernel void fft(__global const float2 *in, __global float2 *out)
{
    __local float2 t[16];
    uint l = (uint)get_local_id(0);
    for (uint k = l; k < 16; k += 8)
        t[(0xf7b3d591e6a2c480UL >> 4 * k) & 15] = in[k];
    for (uint n = 1; n < 16; n *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint j = l & (n - 1), a = (l - j) * 2 + j, b = a + n;
        float angle = -(float)j / (float)n;
        float2 w = (float2)(cospi(angle), sinpi(angle)), x = t[a], y = t[b];
        float2 z = (float2)(w.x * y.x - w.y * y.y, w.x * y.y + w.y * y.x);
        t[a] = x + z;
        t[b] = x - z;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < 16; k += 8)
        out[k] = t[k];
}
