/* Floats to halves in memory and back, rounded to nearest and toward zero.
 * e[i], z[i] = in[i] as a half; back[i] = e[i]. */
__kernel void half_storage(__global const float *in, __global half *e, __global half *z, __global float *back)
{
    size_t i = get_global_id(0);
    vstore_half_rte(in[i], i, e);
    vstore_half_rtz(in[i], i, z);
    back[i] = vload_half(i, e);
}
