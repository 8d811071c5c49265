/* Elements that are odd are appended to a list, whose next free place is an atomic counter.
 * out = the odd elements of in, in any order; n[0] = how many. */
__kernel void ticket(__global const uint *in, __global uint *out, __global uint *n)
{
    uint x = in[get_global_id(0)];
    if (x & 1)
        out[atomic_inc(n)] = x;
}
