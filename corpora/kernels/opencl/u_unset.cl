/* Undefined: a private array's elements are read before they are stored.
 * y[i] = t[x[i] & 7], of which only the lower half was set. */
__kernel void u_unset(__global const uint *x, __global uint *y)
{
    size_t i = get_global_id(0);
    uint t[8];
    for (uint k = 0; k < 4; k++)
        t[k] = x[(i + k) & 31];
    y[i] = t[x[i] & 7];
}
