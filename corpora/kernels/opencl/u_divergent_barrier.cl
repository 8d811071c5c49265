/* Undefined: half of the work-group comes to a barrier.
 * y[i] = x[i ^ 1] for i below 16. */
__kernel void u_divergent_barrier(__global const uint *x, __global uint *y)
{
    __local uint t[32];
    size_t l = get_local_id(0);
    t[l] = x[l];
    if (l < 16) {
        barrier(CLK_LOCAL_MEM_FENCE);
        y[l] = t[l ^ 1];
    }
}
