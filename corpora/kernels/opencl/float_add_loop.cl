/* A sum of floats in global memory by a loop of compare-exchanges on their bits.
 * out[i % 4] = sum of in, whole numbers so that every order gives the same. */
__kernel void float_add_loop(__global const float *in, volatile __global uint *out)
{
    size_t i = get_global_id(0);
    volatile __global uint *p = &out[i % 4];
    uint seen = 0, before;
    do {
        before = seen;
        seen = atomic_cmpxchg(p, before, as_uint(as_float(before) + in[i]));
    } while (seen != before);
}
