/* 64 bits by value.
 * y[i] = x[i] * a. */
__kernel void v_wide(__global const ulong *x, __global ulong *y, ulong a)
{
    y[get_global_id(0)] = x[get_global_id(0)] * a;
}
