/* Undefined: all work-items store what differs to one word.
 * y[0] = x[i], a data race (SPIR-V 2.18, OpenCL memory model). */
__kernel void u_race(__global const uint *x, __global uint *y)
{
    y[0] = x[get_global_id(0)];
}
