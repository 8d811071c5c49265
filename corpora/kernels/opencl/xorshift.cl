/* Marsaglia's xorshift32, 50 steps from a seed that is not 0.
 * out[i] = state after 50 steps. */
__kernel void xorshift(__global const uint *seed, __global uint *out)
{
    uint x = seed[get_global_id(0)];
    for (int k = 0; k < 50; k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[get_global_id(0)] = x;
}
