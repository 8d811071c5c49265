/* A byte by value.
 * y[i] = the lesser of x[i] and limit. */
__kernel void v_byte(__global const uchar *x, __global uchar *y, uchar limit)
{
    y[get_global_id(0)] = min(x[get_global_id(0)], limit);
}
