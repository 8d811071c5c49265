/* Undefined: the least int divided by -1 (OpSDiv: undefined behaviour at signed overflow).
 * z[i] = x[i] / y[i]. */
__kernel void u_quotient(__global const int *x, __global const int *y, __global int *z)
{
    size_t i = get_global_id(0);
    z[i] = x[i] / y[i];
}
