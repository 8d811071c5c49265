/* Undefined: an index into local memory that data makes too great.
 * y[i] = t[x[i] & 63] of an array of 32. */
__kernel void u_local_beyond(__global const uint *x, __global uint *y)
{
    __local uint t[32];
    size_t l = get_local_id(0);
    t[l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[l] = t[x[l] & 63];
}
