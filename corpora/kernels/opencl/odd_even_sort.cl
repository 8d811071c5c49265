/* An odd-even transposition sort of 32 floats by 16 work-items, in global memory with global fences.
 * data = each 32 elements sorted upward. */
__kernel void odd_even_sort(__global float *data)
{
    __global float *d = data + get_group_id(0) * 32;
    size_t l = get_local_id(0);
    for (int step = 0; step < 32; step++) {
        size_t i = 2 * l + (step & 1);
        if (i + 1 < 32) {
            float a = d[i], b = d[i + 1];
            if (a > b) {
                d[i] = b;
                d[i + 1] = a;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
