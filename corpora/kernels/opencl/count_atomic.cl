/* How many numbers are below 30: a counter in local memory, then one addition per group to a global one.
 * out[0] = number of elements of in below 30. */
__kernel void count_atomic(__global const uint *in, __global uint *out)
{
    __local uint n;
    if (get_local_id(0) == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] < 30)
        atomic_inc(&n);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(out, n);
}
