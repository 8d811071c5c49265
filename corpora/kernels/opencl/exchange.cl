/* Each work-item leaves its number in one word and keeps what was there: a chain.
 * The values kept and the last one are 1000 and all numbers, each once. */
__kernel void exchange(__global uint *kept, __global uint *word)
{
    uint i = (uint)get_global_id(0);
    kept[i] = atomic_xchg(word, i);
}
