/* Undefined: the neighbour's word is read without a barrier behind its store.
 * y[i] = x[i ^ 1] by way of local memory. */
__kernel void u_no_barrier(__global const uint *x, __global uint *y)
{
    __local uint t[32];
    size_t l = get_local_id(0);
    t[l] = x[l];
    y[l] = t[l ^ 1];
}
