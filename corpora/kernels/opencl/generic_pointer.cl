/* One function that is given pointers to global, local and private memory (generic address space).
 * out[i] = xor of pairs from each of the three. */
static uint __attribute__((noinline)) mix_pair(const uint *p)
{
    return p[0] ^ rotate(p[1], 7u);
}
__kernel void generic_pointer(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0), l = get_local_id(0);
    __local uint t[32];
    uint own[2] = {in[2 * i] + 1, in[2 * i + 1] - 1};
    t[2 * l] = ~in[2 * i];
    t[2 * l + 1] = in[2 * i + 1] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = mix_pair(in + 2 * i) + mix_pair(t + 2 * (15 - l)) + mix_pair(own);
}
