/* Partial sums of 1000 floats with a stride of the whole grid, as a first pass of a reduction.
 * out[i] = in[i] + in[i + 128] + ..., added in this order. */
__kernel void reduce_stride(__global const float *in, __global float *out)
{
    float sum = 0.0f;
    for (size_t i = get_global_id(0); i < 1000; i += get_global_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}
