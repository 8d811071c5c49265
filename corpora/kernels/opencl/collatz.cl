/* Steps of the Collatz sequence down to 1, each work-item with another number of turns.
 * out[i] = steps from in[i]. */
__kernel void collatz(__global const uint *in, __global uint *out)
{
    uint x = in[get_global_id(0)], n = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        n++;
    }
    out[get_global_id(0)] = n;
}
