/* A bitonic sorting network per work-group in local memory, in place.
 * data = each 64 elements sorted upward. */
__kernel void bitonic(__global uint *data)
{
    __local uint t[64];
    uint l = (uint)get_local_id(0);
    t[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= 64; k <<= 1) {
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint o = l ^ j;
            if (o > l) {
                uint a = t[l], b = t[o];
                if ((l & k) == 0 ? a > b : a < b) {
                    t[l] = b;
                    t[o] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    data[get_global_id(0)] = t[l];
}
