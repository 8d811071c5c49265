/* A number of elements by value, as every library's kernel has it.
 * y[i] = x[i] + 1 for i below n, else untouched. */
__kernel void v_count(__global const uint *x, __global uint *y, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = x[i] + 1;
}
