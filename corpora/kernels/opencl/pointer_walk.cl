/* Pointers that run to an end, and their difference.
 * sum[i] = sum of in[16 i ...] before its first 0; at[i] = where that is, 16 if nowhere. */
__kernel void pointer_walk(__global const int *in, __global int *sum, __global uint *at)
{
    size_t i = get_global_id(0);
    __global const int *p = in + 16 * i, *const end = p + 16;
    int s = 0;
    while (p < end && *p)
        s += *p++;
    sum[i] = s;
    at[i] = (uint)(16 - (end - p));
}
