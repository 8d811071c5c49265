/* The FNV-1a hash of 16 bytes per work-item.
 * out[i] = hash of in[16 i ... 16 i + 15]. */
__kernel void fnv_hash(__global const uchar *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint h = 2166136261u;
    for (int k = 0; k < 16; k++) {
        h ^= in[16 * i + k];
        h *= 16777619u;
    }
    out[i] = h;
}
