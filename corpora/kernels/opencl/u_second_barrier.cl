/* Undefined: a loop stores to local memory that others may still read, for the barrier at its end is missing.
 * y[i] = sum of three turns. */
__kernel void u_second_barrier(__global const uint *x, __global uint *y)
{
    __local uint t[32];
    size_t l = get_local_id(0);
    uint s = 0;
    for (uint k = 0; k < 3; k++) {
        t[l] = x[l] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        s += t[(l + 1) & 31];
    }
    y[l] = s;
}
