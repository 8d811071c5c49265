/* A binary search in a sorted array.
 * out[i] = number of elements of table below key[i]. */
__kernel void bisect(__global const uint *table, __global const uint *key, __global uint *out)
{
    uint low = 0, high = 64, x = key[get_global_id(0)];
    while (low < high) {
        uint middle = (low + high) / 2;
        if (table[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    out[get_global_id(0)] = low;
}
