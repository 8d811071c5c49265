/* Undefined: the last work-item reads one element beyond the buffer.
 * y[i] = x[i + 1]. */
__kernel void u_read_beyond(__global const uint *x, __global uint *y)
{
    y[get_global_id(0)] = x[get_global_id(0) + 1];
}
